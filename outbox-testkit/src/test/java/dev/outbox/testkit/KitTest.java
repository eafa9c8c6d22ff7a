package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Relay;
import dev.outbox.RelayStatus.Health;
import dev.outbox.message.Message;
import dev.outbox.message.Payload;
import dev.outbox.message.PayloadCodec;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Resolver;
import dev.outbox.publish.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class KitTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static Message message(String key, String text) {
    return Message.to("orders.placed").key(key).text(text);
  }

  @Test
  void what_is_committed_is_delivered_and_what_is_rolled_back_is_not() throws Exception {
    try (Kit kit = Kit.inMemory()) {
      kit.transaction(tx -> kit.outbox().enqueue(tx, message("42", "placed")));
      assertThatThrownBy(
              () ->
                  kit.transaction(
                      tx -> {
                        kit.outbox().enqueue(tx, message("43", "placed"));
                        throw new IllegalStateException("no such customer");
                      }))
          .hasMessage("no such customer");
      assertThat(kit.broker().count()).isZero();
      kit.deliver();
      assertThat(kit.broker().texts("orders.placed", "42")).containsExactly("placed");
      assertThat(kit.broker().count()).isEqualTo(1);
    }
  }

  @Test
  void a_failed_message_is_tried_again_when_the_clock_has_passed_its_rest() {
    RetryPolicy minute = (attempts, failing) -> Optional.of(Duration.ofMinutes(1));
    try (Kit kit = Kit.builder().retry(minute).lanes(1).build()) {
      kit.broker().next(BrokerFault.refuse());
      kit.enqueue(message("42", "placed"));
      kit.deliver();
      assertThat(kit.contents().parked()).hasSize(1);
      kit.pass(Duration.ofSeconds(59));
      assertThat(kit.broker().count()).isZero();
      kit.pass(Duration.ofSeconds(1));
      assertThat(kit.broker().count()).isEqualTo(1);
      assertThat(kit.contents().isDrained()).isTrue();
    }
  }

  @Test
  void a_time_by_the_clock_of_the_machine_comes_when_the_test_moves_the_kits() {
    try (Kit kit = Kit.inMemory()) {
      Instant inAnHour = Instant.now().plus(Duration.ofHours(1));
      kit.enqueue(
          Message.to("mails").deliverAt(inAnHour).text("later"),
          Message.to("mails").notAfter(inAnHour).text("now"));
      kit.deliver();
      assertThat(kit.broker().messages()).extracting(Arrival::text).containsExactly("now");
      kit.pass(Duration.ofHours(2));
      assertThat(kit.broker().messages()).extracting(Arrival::text).containsExactly("now", "later");
    }
  }

  @Test
  void settings_reach_the_outbox_the_store_and_the_broker() {
    Kit.Builder settings =
        Kit.builder()
            .rows()
            .dedupe(10)
            .headers(() -> Map.of("tenant", "acme"))
            .publisher(broker -> Publisher.route(Map.of("mails", broker.publisher())));
    try (Kit kit = settings.build()) {
      kit.broker().next(BrokerFault.twice());
      kit.enqueue(Message.to("mails").text("hello"));
      kit.deliver();
      assertThat(kit.broker().dropped()).isEqualTo(1);
      assertThat(kit.broker().messages("mails").get(0).envelope().headers())
          .containsEntry("tenant", "acme");
      assertThatThrownBy(() -> kit.enqueue(message("42", "placed")))
          .hasMessageContaining("claimed by rows");
    }
    try (Kit other = settings.build()) {
      assertThat(other.broker().count()).as("a fresh one").isZero();
    }
  }

  @Test
  void a_null_is_named_where_it_is_given_and_not_when_it_is_used() {
    Kit.Builder settings = Kit.builder();
    named("codec", () -> settings.codec(null));
    named("source", () -> settings.headers(null));
    named("policy", () -> settings.retry(null));
    named("maker", () -> settings.publisher(null));
    InMemoryBroker broker = InMemoryBroker.create();
    named("fault", () -> broker.next(BrokerFault.refuse(), null));
    named("which", () -> broker.when(null, BrokerFault.refuse()));
    named("fault", () -> broker.when(any -> true, null));
    named("cause", () -> BrokerFault.refuse(null));
    named("reason", () -> BrokerFault.reject(null));
    named("instant", () -> SettableClock.create().set(null));
    try (Kit kit = settings.publisher(any -> broker.publisher()).build()) {
      kit.enqueue(message("42", "placed"));
      kit.deliver();
      assertThat(broker.count()).as("no fault is left of a call that was refused").isEqualTo(1);
    }
  }

  @Test
  void a_codec_that_returns_null_is_named() {
    PayloadCodec broken =
        new PayloadCodec() {
          @Override
          public Payload encode(Object payload) {
            return null;
          }

          @Override
          public <T> T decode(Payload payload, Class<T> type) {
            return null;
          }
        };

    try (Kit kit = Kit.builder().codec(broken).build()) {
      named("the codec returned null", () -> kit.enqueue(Message.to("mails").payload(7)));
    }
  }

  private static void named(String argument, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(argument);
  }

  @Test
  void a_threaded_relay_is_awaited_without_a_sleep() throws Exception {
    try (Kit kit = Kit.inMemory();
        Relay relay = kit.start()) {
      for (int number = 0; number < 100; number++) {
        kit.enqueue(message("k" + number % 7, "n " + number));
      }
      kit.awaitDelivered(100, PATIENCE);
      assertThat(relay.name()).startsWith("kit-");
      assertThat(kit.broker().ids()).hasSize(100);
      assertThat(kit.contents().isDrained()).isTrue();
    }
  }

  /** The kit's clock stands still, so the leases of the other relay would never expire. */
  @Test
  void a_threaded_relay_gets_the_lanes_that_the_one_driven_by_hand_has() throws Exception {
    try (Kit kit = Kit.inMemory()) {
      kit.enqueue(message("42", "placed"));
      kit.deliver();
      try (Relay relay = kit.start()) {
        kit.enqueue(message("42", "paid"));
        kit.awaitDelivered(2, PATIENCE);
        assertThat(relay.status().lanes()).hasSize(32);
      }
      kit.enqueue(message("42", "sent"));
      kit.deliver();
      assertThat(kit.broker().texts("orders.placed", "42"))
          .containsExactly("placed", "paid", "sent");
    }
  }

  @Test
  void a_relay_that_has_crashed_with_the_lanes_is_named() {
    try (Kit kit = Kit.inMemory()) {
      ManualRelay crashed =
          ManualRelay.builder(kit.store(), kit.broker().publisher())
              .name("crashed")
              .clock(kit.clock())
              .build();
      crashed.drainNow();
      crashed.crash();
      kit.enqueue(message("42", "placed"));

      assertThatThrownBy(kit::deliver)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("relay crashed owns 32 of 32 lanes");
      kit.pass(Duration.ofMinutes(1));
      assertThat(kit.broker().count()).isEqualTo(1);
    }
  }

  @Test
  void a_relay_that_has_ended_does_not_seem_to_deliver() {
    Kit kit = Kit.inMemory();
    kit.enqueue(message("42", "placed"));
    kit.close();
    assertThatThrownBy(kit::deliver)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this relay was closed or has crashed, and delivers nothing; make another");
    assertThat(kit.contents().ready()).hasSize(1);
  }

  @Test
  void a_threaded_relay_keeps_to_the_retry_policy_of_the_kit() throws Exception {
    RetryPolicy never = (attempts, failing) -> Optional.empty();
    try (Kit kit = Kit.builder().retry(never).build();
        Relay relay = kit.start()) {
      kit.broker().next(BrokerFault.refuse());
      kit.enqueue(message("k", "once is enough"));
      InMemoryStore store = (InMemoryStore) kit.store();
      assertThat(store.await(contents -> contents.dead().size() == 1, PATIENCE)).isTrue();
      assertThat(relay.name()).startsWith("kit-");
    }
  }

  @Test
  void a_threaded_relay_tries_again_when_the_clock_is_moved() throws Exception {
    try (Kit kit = Kit.builder().retry(RetryPolicy.standard()).build();
        Relay relay = kit.start()) {
      kit.broker().next(BrokerFault.refuse());
      kit.enqueue(message("k", "twice"));
      InMemoryStore store = (InMemoryStore) kit.store();
      assertThat(store.await(contents -> contents.parked().size() == 1, PATIENCE)).isTrue();
      kit.clock().advance(Duration.ofMinutes(1));
      kit.awaitDelivered(1, PATIENCE);
      assertThat(relay.name()).startsWith("kit-");
    }
  }

  @Test
  void a_wait_for_nothing_is_refused() {
    try (Kit kit = Kit.inMemory()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> kit.awaitDelivered(0, PATIENCE))
          .withMessageContaining("count is 0, the minimum is 1");
    }
  }

  @Test
  void an_await_that_fails_says_where_the_messages_are() {
    try (Kit kit = Kit.inMemory()) {
      kit.enqueue(message("42", "placed"));
      assertThatThrownBy(() -> kit.awaitDelivered(1, Duration.ofMillis(1)))
          .isInstanceOf(AssertionError.class)
          .hasMessage(
              "0 of 1 messages were delivered within PT0.001S: 1 committed, of them 1 ready, 0 parked, 0 delayed,"
                  + " 0 dead; 0 delivered");
    }
  }

  @Test
  void a_kit_in_memory_is_not_cleared() {
    try (Kit kit = Kit.inMemory()) {
      kit.enqueue(Message.to("orders").text("placed"));

      assertThatThrownBy(kit::clear)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("make a new one by Kit.inMemory()");
      assertThat(kit.broker().count()).isZero();
      assertThat(kit.contents().ready()).hasSize(1);
    }
  }

  @Test
  void other_settings_of_the_outbox_are_those_of_the_application() {
    try (Kit kit = Kit.builder().outbox(outbox -> outbox.maxPayload(3)).build()) {
      assertThatThrownBy(() -> kit.enqueue(Message.to("orders").text("placed")))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void an_assertion_that_fails_in_a_publisher_fails_the_test_once() {
    Publisher wantsTenant =
        Publisher.blocking(
            envelope -> assertThat(envelope.headers().get("tenant")).isEqualTo("acme"));
    Publisher thrown =
        flight -> {
          throw new CompletionException(new AssertionError("acme"));
        };
    for (Publisher publisher : List.of(wantsTenant, thrown)) {
      try (Kit kit = Kit.builder().publisher(broker -> publisher).build()) {
        kit.enqueue(message("42", "placed"));
        assertThatThrownBy(kit::deliver)
            .isInstanceOf(AssertionError.class)
            .hasMessageContaining("acme");
        assertThat(kit.contents().parked()).hasSize(1);
        kit.deliver();
      }
    }
  }

  @Test
  void an_assertion_that_fails_in_a_resolver_fails_the_test_once() {
    Resolver wantsTenant =
        (references, claim) -> {
          throw new AssertionError("acme");
        };
    try (Kit kit =
        Kit.builder().publisher(broker -> broker.publisher().resolving(wantsTenant)).build()) {
      kit.enqueue(Message.to("orders.placed").key("42").reference("orders", 42));
      assertThatThrownBy(kit::deliver).isInstanceOf(AssertionError.class).hasMessage("acme");
      assertThat(kit.contents().parked()).hasSize(1);
      kit.deliver();
    }
  }

  /** Fails an assertion at its first send only. */
  private static Publisher failsOnce(InMemoryBroker broker) {
    AtomicBoolean failed = new AtomicBoolean();
    return Publisher.blocking(
        envelope -> {
          assertThat(failed.getAndSet(true)).as("acme").isTrue();
          broker.receive(envelope);
        });
  }

  @Test
  void an_assertion_that_fails_in_a_relay_on_threads_fails_the_wait_once() throws Exception {
    try (Kit kit = Kit.builder().publisher(KitTest::failsOnce).build();
        Relay relay = kit.start()) {
      kit.enqueue(message("42", "placed"));
      InMemoryStore store = (InMemoryStore) kit.store();
      assertThat(store.await(contents -> contents.parked().size() == 1, PATIENCE)).isTrue();
      assertThatThrownBy(() -> kit.awaitDelivered(1, Duration.ofMillis(1)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("acme")
          .satisfies(
              error ->
                  assertThat(error.getSuppressed()[0])
                      .hasMessageStartingWith("0 of 1 messages were delivered"));
      kit.clock().advance(Duration.ofMinutes(1));
      kit.awaitDelivered(1, PATIENCE);
      assertThat(relay.name()).startsWith("kit-");
    }
  }

  @Test
  void an_assertion_that_failed_before_the_retry_fails_the_wait() throws Exception {
    try (Kit kit = Kit.builder().publisher(KitTest::failsOnce).build();
        Relay relay = kit.start()) {
      kit.enqueue(message("42", "placed"));
      InMemoryStore store = (InMemoryStore) kit.store();
      assertThat(store.await(contents -> contents.parked().size() == 1, PATIENCE)).isTrue();
      kit.clock().advance(Duration.ofMinutes(1));
      assertThatThrownBy(() -> kit.awaitDelivered(1, PATIENCE)).hasMessageContaining("acme");
      assertThat(kit.contents().delivered()).isEqualTo(1);
      assertThat(relay.name()).startsWith("kit-");
    }
  }

  @Test
  void an_assertion_that_a_test_has_seen_fail_by_hand_is_not_thrown_later() throws Exception {
    try (Kit kit = Kit.builder().publisher(KitTest::failsOnce).build()) {
      kit.enqueue(message("42", "placed"));
      kit.relay().drainNow();
      assertThat(kit.contents().parked()).hasSize(1);
      kit.pass(Duration.ofMinutes(1));
      assertThat(kit.contents().delivered()).isEqualTo(1);
    }
    try (Kit kit = Kit.builder().publisher(KitTest::failsOnce).build()) {
      kit.enqueue(message("42", "placed"));
      kit.relay().drainNow();
      kit.clock().advance(Duration.ofMinutes(1));
      try (Relay relay = kit.start()) {
        kit.awaitDelivered(1, PATIENCE);
        assertThat(relay.name()).startsWith("kit-");
      }
    }
  }

  @Test
  void an_assertion_of_a_flight_that_a_drain_left_in_the_air_fails_the_test() {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    try (Kit kit = Kit.builder().publisher(broker -> Publisher.async(envelope -> answer)).build()) {
      kit.enqueue(message("42", "placed"));
      kit.relay().drainNow();
      answer.completeExceptionally(new AssertionError("acme"));
      assertThatThrownBy(kit::deliver).isInstanceOf(AssertionError.class).hasMessage("acme");
    }
  }

  @Test
  void an_assertion_of_a_relay_that_was_closed_before_the_test_waited_fails_the_test()
      throws Exception {
    try (Kit kit = Kit.builder().publisher(KitTest::failsOnce).build()) {
      try (Relay relay = kit.start()) {
        kit.enqueue(message("42", "placed"));
        InMemoryStore store = (InMemoryStore) kit.store();
        assertThat(store.await(contents -> contents.parked().size() == 1, PATIENCE)).isTrue();
        assertThat(relay.name()).startsWith("kit-");
      }
      assertThatThrownBy(kit::deliver).hasMessageContaining("acme");
      kit.pass(Duration.ofMinutes(1));
    }
  }

  @Test
  void an_assertion_fails_the_test_although_its_relay_fails_too() {
    AtomicReference<Kit> self = new AtomicReference<>();
    CompletableFuture<Void> failed = CompletableFuture.failedFuture(new AssertionError("acme"));
    Publisher crashes =
        Publisher.async(
            envelope -> {
              self.get().relay().crash();
              return envelope.key().value().equals("42") ? failed : new CompletableFuture<>();
            });
    try (Kit kit = Kit.builder().publisher(broker -> crashes).build()) {
      self.set(kit);
      kit.enqueue(message("42", "placed"), message("43", "has no answer"));
      assertThatThrownBy(kit::deliver)
          .isInstanceOf(AssertionError.class)
          .hasMessage("acme")
          .satisfies(
              error ->
                  assertThat(error.getSuppressed()[0])
                      .hasMessageStartingWith("this relay was closed or has crashed"));
    }
  }

  @Test
  void a_condition_of_a_fault_that_throws_fails_the_test() {
    try (Kit kit = Kit.inMemory()) {
      kit.broker().when(each -> each.key().value().equals("42"), BrokerFault.refuse());
      kit.enqueue(Message.to("mails").text("without a key"));
      assertThatThrownBy(kit::deliver)
          .isInstanceOf(AssertionError.class)
          .hasMessageStartingWith(
              "the condition of the fault refuse(java.lang.IllegalStateException: the in-memory broker refused it) threw java.lang.NullPointerException")
          .hasCauseInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void an_answer_from_another_thread_is_waited_for() {
    Executor slow = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);
    try (Kit kit = Kit.builder().publisher(broker -> broker.asyncPublisher(slow)).build()) {
      kit.enqueue(message("42", "placed"), message("42", "paid"), message("43", "placed"));
      kit.deliver();
      assertThat(kit.contents().delivered()).isEqualTo(3);
    }
  }

  /** An interrupt ends its patience; one that comes while it sends is the publisher's. */
  @Test
  void a_publisher_that_does_not_answer_is_not_passed_over() {
    Deque<Runnable> sends = new ConcurrentLinkedDeque<>();
    Thread test = Thread.currentThread();
    AtomicBoolean over = new AtomicBoolean();
    Thread impatient =
        new Thread(
            () -> {
              while (!over.get()) {
                if (sends.size() == 2) {
                  test.interrupt();
                }
                Thread.onSpinWait();
              }
            });
    impatient.setDaemon(true);
    boolean interrupted;
    try (Kit kit = Kit.builder().publisher(broker -> broker.asyncPublisher(sends::add)).build()) {
      kit.enqueue(message("42", "placed"), message("43", "placed"));
      impatient.start();
      try {
        assertThatThrownBy(kit::deliver)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageStartingWith("2 messages have no answer from the publisher");
      } finally {
        over.set(true);
        while (impatient.isAlive()) { // a join would end by an interrupt
          Thread.onSpinWait();
        }
        interrupted = Thread.interrupted();
      }
      assertThat(interrupted).isTrue();
      sends.forEach(Runnable::run);
      kit.deliver();
      assertThat(kit.contents().delivered()).isEqualTo(2);
    }
  }

  @Test
  void what_is_due_in_the_lanes_of_another_relay_is_not_passed_over() {
    try (Kit kit = Kit.inMemory();
        ManualRelay other =
            ManualRelay.builder(kit.store(), kit.broker().publisher())
                .name("other")
                .clock(kit.clock())
                .lease(Duration.ofDays(1), Duration.ofHours(1))
                .build()) {
      other.drainNow();
      kit.enqueue(Message.to("mails").key("42").deliverAfter(Duration.ofMinutes(1)).text("later"));
      kit.pass(Duration.ofSeconds(59));
      assertThatThrownBy(() -> kit.pass(Duration.ofSeconds(1)))
          .hasMessageContaining("relay other owns");
    }
  }

  @Test
  void a_retry_that_is_due_in_the_lanes_of_another_relay_is_not_passed_over() {
    RetryPolicy minute = (attempts, failing) -> Optional.of(Duration.ofMinutes(1));
    try (Kit kit = Kit.inMemory();
        ManualRelay other =
            ManualRelay.builder(kit.store(), kit.broker().publisher())
                .name("other")
                .clock(kit.clock())
                .lease(Duration.ofDays(1), Duration.ofHours(1))
                .retry(minute)
                .build()) {
      kit.broker().next(BrokerFault.refuse());
      kit.enqueue(message("42", "placed"));
      other.drainNow();
      kit.pass(Duration.ofSeconds(59));
      assertThatThrownBy(() -> kit.pass(Duration.ofSeconds(1)))
          .hasMessageContaining("relay other owns");
    }
  }

  @Test
  void a_closed_kit_has_closed_its_relays_on_threads() {
    Relay relay;
    try (Kit kit = Kit.inMemory()) {
      relay = kit.start();
      assertThat(relay.health()).isNotEqualTo(Health.DOWN);
    }
    assertThat(relay.health()).isEqualTo(Health.DOWN);
  }

  @Test
  void a_savepoint_that_is_over_is_refused_as_by_a_database() throws Exception {
    try (Kit kit = Kit.inMemory();
        Connection connection = kit.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Savepoint first = connection.setSavepoint();
      kit.outbox().enqueue(connection, message("42", "undone"));
      Savepoint second = connection.setSavepoint();
      Savepoint third = connection.setSavepoint();
      connection.releaseSavepoint(second);
      for (Savepoint over : List.of(second, third)) {
        over(() -> connection.rollback(over));
        over(() -> connection.releaseSavepoint(over));
      }
      Savepoint behind = connection.setSavepoint();
      connection.rollback(first);
      over(() -> connection.rollback(behind));
      kit.outbox().enqueue(connection, message("42", "undone"));
      connection.rollback(first);
      kit.outbox().enqueue(connection, message("42", "placed"));
      connection.commit();
      over(() -> connection.rollback(first));
      assertThat(kit.contents().ready()).hasSize(1);
    }
  }

  private static void over(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("3B001"));
  }
}
