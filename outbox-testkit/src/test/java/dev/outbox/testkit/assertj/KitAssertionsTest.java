package dev.outbox.testkit.assertj;

import static dev.outbox.testkit.assertj.KitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters;
import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.testkit.BrokerFault;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.Kit;
import dev.outbox.testkit.junit.KitExtension;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(KitExtension.class)
class KitAssertionsTest {
  private final Kit kit;

  KitAssertionsTest(Kit kit) {
    this.kit = kit;
  }

  /** An order. */
  public record Order(String id, int total) {}

  private static Message placed(String key, String text) {
    return Message.to("orders.placed").key(key).header("tenant", "acme").text(text);
  }

  private static void fails(ThrowingCallable assertion, String message) {
    assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessage(message);
  }

  @Test
  void enqueued_is_what_was_committed_wherever_it_is() throws Exception {
    kit.enqueue(placed("42", "placed"), Message.to("mails").payload(new Order("42", 7)));
    kit.deliver();
    kit.enqueue(Message.to("mails").deliverAfter(Duration.ofDays(1)).bytes(new byte[] {1, 2}));
    assertThat(kit)
        .hasEnqueued("orders.placed")
        .withKey(42)
        .withHeader("tenant", "acme")
        .withText("placed")
        .once();
    assertThat(kit).hasEnqueued("mails").withoutKey().times(2).withPayload(new Order("42", 7));
    assertThat((InMemoryStore) kit.store())
        .hasEnqueued("mails")
        .withBytes(new byte[] {1, 2})
        .times(1);
    assertThat(kit).hasNothingEnqueued("invoices").hasNoDeadLetters();
  }

  @Test
  void what_is_open_or_rolled_back_is_not_enqueued() throws Exception {
    try (Connection connection = ((InMemoryStore) kit.store()).begin()) {
      kit.outbox().enqueue(connection, placed("42", "placed"));
      assertThat(kit).hasNothingEnqueued();
      connection.rollback();
    }
    assertThat(kit).hasNothingEnqueued().isDrained();
  }

  @Test
  void a_missing_message_is_reported_with_those_that_are_there() {
    kit.enqueue(placed("41", "placed"), placed("42", "paid"), Message.to("mails").text("hi"));
    fails(
        () -> assertThat(kit).hasEnqueued("orders.placed").withKey("43"),
        """
        expected: enqueued message for topic orders.placed with key 43
        but of "enqueued message for topic orders.placed" there are:
          ready: orders.placed, key 41, {tenant=acme} 'placed'
          ready: orders.placed, key 42, {tenant=acme} 'paid'""");
    assertThatThrownBy(() -> assertThat(kit).hasEnqueued("orders.plcaed"))
        .hasMessageContaining("ready: mails, no key, 'hi'");
    assertThatThrownBy(() -> assertThat(kit).hasEnqueued("mails").withPayload(new Order("42", 7)))
        .hasMessageContaining("with payload Order[id=42, total=7]")
        .hasMessageContaining("\nsome could not be read as %s:\n  ", Order.class.getName());
    assertThatThrownBy(() -> assertThat(kit).hasEnqueued("orders.placed").times(1))
        .hasMessageStartingWith("expected 1 times: enqueued message for topic orders.placed");
    assertThatThrownBy(() -> assertThat(kit).as("the order service").hasNothingEnqueued())
        .hasMessageStartingWith("[the order service] expected nothing enqueued, but there are:");
    assertThatThrownBy(
            () ->
                assertThat(kit.broker())
                    .as("the broker")
                    .decodingWith(kit.codec())
                    .hasReceived("orders.placed"))
        .hasMessageStartingWith("[the broker] expected: message at the broker");
  }

  @Test
  void what_was_discarded_is_not_reported_as_delivered() {
    kit.broker().next(BrokerFault.reject("no such account"));
    kit.enqueue(placed("41", "placed"));
    kit.deliver();
    DeadLetters.create(kit.store()).discard(DeadLetters.Filter.all());
    assertThat(kit).isDrained();
    assertThatThrownBy(() -> assertThat(kit).hasNothingEnqueued())
        .hasMessageContaining("\n  delivered or discarded: orders.placed, key 41");
  }

  @Test
  void what_waits_is_reported() {
    kit.broker().next(BrokerFault.refuse());
    kit.enqueue(placed("41", "placed"));
    kit.deliver();
    kit.enqueue(placed("42", "placed"), placed("43", "100 % sure"));
    fails(
        () -> assertThat(kit).isDrained(),
        """
        expected no waiting message, but there are:
          parked: orders.placed, key 41, {tenant=acme} 'placed'
          ready: orders.placed, key 42, {tenant=acme} 'placed'
          ready: orders.placed, key 43, {tenant=acme} '100 % sure'""");
    fails(
        () -> assertThat(kit.store()).isDrained(),
        "expected no waiting message, but (counted up to 1000) there are 2 ready, 1 parked, 0 delayed");
    kit.pass(Duration.ofMinutes(5));
    assertThat(kit).isDrained();
    assertThat(kit.store()).isDrained();
  }

  @Test
  void dead_letters_are_found_by_topic_key_reason_and_error() {
    kit.broker().next(BrokerFault.reject("no such order"));
    kit.enqueue(placed("42", "placed"));
    kit.deliver();
    assertThat(kit)
        .hasDeadLetter("orders.placed")
        .withKey("42")
        .withReason(Reason.REJECTED)
        .withError("no such")
        .withAttempts(1);
    assertThatThrownBy(
            () -> assertThat(kit).hasDeadLetter("orders.placed").withReason(Reason.EXPIRED))
        .hasMessageContaining("expected: dead letter with topic orders.placed with reason EXPIRED")
        .hasMessageContaining("REJECTED (no such order): orders.placed, key 42");
    assertThatThrownBy(() -> assertThat(kit.store()).hasNoDeadLetters())
        .hasMessageStartingWith("expected no dead letter, but there are:");
  }

  @Test
  void what_has_arrived_is_reported_in_its_order_and_with_its_repeats() {
    List<MessageId> ids = new ArrayList<>();
    ids.addAll(kit.enqueue(placed("42", "a"), placed("42", "b"), placed("7", "x")));
    kit.deliver();
    assertThat(kit.broker())
        .hasReceived("orders.placed")
        .withKey("42")
        .repeated(0)
        .inOrder("a", "b")
        .times(2);
    assertThat(kit.broker()).hasReceived("orders.placed").withId(ids.get(2)).withKey("7").once();
    assertThat(kit.broker()).hasNoRepeats().keepsTheOrderOf(ids).hasReceivedNothing("mails");
    assertThatThrownBy(
            () -> assertThat(kit.broker()).hasReceived("orders.placed").withKey("42").inOrder("b"))
        .hasMessageContaining("in this order: [b]")
        .hasMessageContaining("key 42, {tenant=acme} 'b'");
    assertThatThrownBy(
            () -> assertThat(kit.broker()).keepsTheOrderOf(List.of(ids.get(1), ids.get(0))))
        .hasMessageContaining("orders.placed/42: arrival ");
    assertThatThrownBy(() -> assertThat(kit.broker()).hasReceivedNothing())
        .hasMessageContaining("arrival 1: orders.placed");
  }

  @Test
  void once_is_one_message_and_not_two_that_are_alike() {
    kit.enqueue(placed("42", "placed"));
    kit.enqueue(placed("42", "placed"));
    fails(
        () -> assertThat(kit).hasEnqueued("orders.placed").withKey("42").once(),
        """
        expected once: enqueued message for topic orders.placed with key 42
        but there are:
          ready: orders.placed, key 42, {tenant=acme} 'placed'
          ready: orders.placed, key 42, {tenant=acme} 'placed'""");
    kit.deliver();
    assertThatThrownBy(
            () -> assertThat(kit.broker()).hasReceived("orders.placed").withKey("42").once())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("arrival 2: orders.placed, key 42");
    assertThat(kit.broker()).hasReceived("orders.placed").withKey("42").repeated(0).times(2);
  }

  @Test
  void order_is_not_kept_by_what_has_not_arrived() {
    kit.broker().next(BrokerFault.reject("no such order"));
    List<MessageId> ids = kit.enqueue(placed("42", "a"), placed("42", "b"));
    fails(
        () -> assertThat(kit.broker()).keepsTheOrderOf(ids),
        """
        expected every key in order, but some have not arrived:
          %s
          %s"""
            .formatted(ids.get(0), ids.get(1)));
    kit.deliver();
    fails(
        () -> assertThat(kit.broker()).keepsTheOrderOf(ids),
        "expected every key in order, but some have not arrived:\n  " + ids.get(0));
    assertThat(kit.broker()).keepsTheOrderOf(ids.subList(1, 2));
  }

  @Test
  void order_is_not_kept_where_there_is_none_to_keep() {
    List<MessageId> ids = kit.enqueue(Message.to("mails").text("a"), Message.to("mails").text("b"));
    kit.deliver();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(kit.broker()).keepsTheOrderOf(List.of()))
        .withMessage("no ids, so no order; give those that were enqueued");
    fails(
        () -> assertThat(kit.broker()).keepsTheOrderOf(ids),
        "expected every key in order, but none of these messages has a key");
  }

  @Test
  void none_has_an_assertion_of_its_own_which_a_count_of_none_names() {
    kit.enqueue(placed("42", "a"));
    kit.deliver();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(kit.broker()).hasReceived("orders.placed").times(0))
        .withMessageStartingWith("times is 0, the minimum is 1; ")
        .withMessageContaining("hasReceivedNothing(topic)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(kit).hasEnqueued("orders.placed").times(-1))
        .withMessageContaining("hasNothingEnqueued(topic)");
  }

  @Test
  void no_repeats_of_nothing_proves_nothing() {
    assertThatThrownBy(() -> assertThat(kit.broker()).hasNoRepeats())
        .isInstanceOf(AssertionError.class)
        .hasMessage("expected no message more than once, but nothing has arrived");
  }

  @Test
  void a_repeat_at_the_broker_is_found_by_once_and_passed_over_by_in_order() {
    kit.broker().next(BrokerFault.twice());
    kit.enqueue(placed("42", "a"), placed("42", "b"));
    kit.deliver();
    assertThat(kit.broker()).hasReceived("orders.placed").times(2).inOrder("a", "b");
    assertThatThrownBy(() -> assertThat(kit.broker()).hasReceived("orders.placed").once())
        .hasMessageContaining("arrival 2: orders.placed, key 42, {tenant=acme} 'a'");
    assertThatThrownBy(() -> assertThat(kit.broker()).hasNoRepeats())
        .hasMessageStartingWith("expected no message more than once, but there are:");
  }

  @Test
  void a_long_list_is_cut_and_bytes_are_not_shown() {
    for (int number = 0; number < 40; number++) {
      kit.enqueue(Message.to("mails").bytes("x".getBytes(StandardCharsets.UTF_8)));
    }
    assertThatThrownBy(() -> assertThat(kit).hasNothingEnqueued())
        .hasMessageContaining("ready: mails, no key, application/octet-stream, 1 bytes")
        .hasMessageEndingWith("and 10 more");
    assertThat(kit.broker().count()).isZero();
  }

  @Test
  void what_another_outbox_wrote_is_found_behind_a_thousand_of_the_kits_own() throws Exception {
    InMemoryStore store = InMemoryStore.create();
    try (Kit over = Kit.builder().over(store, store.dataSource()).build();
        Connection transaction = store.begin()) {
      over.enqueue(Collections.nCopies(1000, placed("42", "placed")).toArray(Message[]::new));
      Outbox.create(store).enqueue(transaction, Message.to("mails").text("hi"));
      transaction.commit();

      assertThatThrownBy(() -> assertThat(over).hasNothingEnqueued("mails"))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("1 messages for mails are in the tables that this kit did not");
      assertThat(over).hasNothingEnqueued("invoices");
    }
  }
}
