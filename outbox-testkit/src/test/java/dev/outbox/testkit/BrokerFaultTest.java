package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a relay makes of each fault of the broker. */
class BrokerFaultTest {
  private static final String TOPIC = "orders.placed";
  private static final Duration REST = Duration.ofSeconds(10);

  /** Longer than a relay waits after an outage. */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final SettableClock clock = SettableClock.create();
  private final InMemoryBroker broker = InMemoryBroker.withClock(clock);
  private final InMemoryStore store = InMemoryStore.builder().lanes(1).clock(clock).build();
  private final Outbox outbox = Outbox.create(store);
  private final AtomicInteger counted = new AtomicInteger();
  private final ManualRelay relay = relay(broker.publisher());

  private ManualRelay relay(Publisher publisher) {
    return ManualRelay.builder(store, publisher)
        .clock(clock)
        .retry(
            (attempts, failing) -> {
              counted.incrementAndGet();
              return Optional.of(REST);
            })
        .build();
  }

  @AfterEach
  void close() {
    relay.close();
  }

  private List<MessageId> commit(Message... messages) throws Exception {
    try (Connection connection = store.begin()) {
      List<MessageId> ids = outbox.enqueue(connection, Arrays.asList(messages));
      connection.commit();
      return ids;
    }
  }

  private static Message message(String key, int number) {
    return Message.to(TOPIC).key(key).text(key + " " + number);
  }

  private static Message[] numbered(String key, int count) {
    return IntStream.range(0, count).mapToObj(i -> message(key, i)).toArray(Message[]::new);
  }

  private static String[] numbers(String key, int count) {
    return IntStream.range(0, count).mapToObj(i -> key + " " + i).toArray(String[]::new);
  }

  private List<String> texts() {
    return broker.messages().stream().map(Arrival::text).toList();
  }

  private void drainAfter(Duration step) {
    clock.advance(step);
    relay.drainNow();
  }

  @Test
  void a_refused_message_is_retried_and_holds_its_key_only() throws Exception {
    broker.next(BrokerFault.refuse());
    commit(message("a", 0), message("a", 1), message("b", 0));
    relay.drainNow();
    assertThat(texts()).containsExactly("b 0");
    assertThat(store.parkedCount()).isEqualTo(2);
    drainAfter(REST);
    assertThat(texts()).containsExactly("b 0", "a 0", "a 1");
    assertThat(counted).hasValue(1);
  }

  @Test
  void a_rejected_message_is_dead_and_its_key_goes_on() throws Exception {
    broker.next(BrokerFault.reject("no such order"));
    commit(numbered("a", 2));
    relay.drainNow();
    assertThat(texts()).containsExactly("a 1");
    assertThat(store.deadLetters().page(Filter.all(), 0, 10))
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.reason()).isEqualTo(Reason.REJECTED);
              assertThat(letter.error()).isEqualTo("no such order");
            });
  }

  @Test
  void a_time_out_is_an_outage_that_counts_nothing_and_repeats_nothing() throws Exception {
    broker.next(BrokerFault.timeOut());
    commit(numbered("a", 3));
    relay.drainNow();
    assertThat(texts()).isEmpty();
    drainAfter(PAUSE);
    assertThat(texts()).containsExactly(numbers("a", 3));
    assertThat(counted).hasValue(0);
  }

  @Test
  void a_lost_confirmation_is_one_repeat_of_that_message_in_its_order() throws Exception {
    broker.next(BrokerFault.none(), BrokerFault.loseConfirm());
    commit(numbered("a", 3));
    relay.drainNow();
    assertThat(texts()).containsExactly("a 0", "a 1");
    drainAfter(PAUSE);
    assertThat(texts()).containsExactly("a 0", "a 1", "a 1", "a 2");
    assertThat(broker.repeats()).hasSize(1).containsValue(1);
    assertThat(counted).hasValue(0);
  }

  @Test
  void a_broker_that_deduplicates_drops_the_repeat_and_counts_it() throws Exception {
    InMemoryBroker careful = InMemoryBroker.builder().clock(clock).dedupe(10).build();
    careful.next(BrokerFault.loseConfirm());
    commit(numbered("a", 3));
    try (ManualRelay other = relay(careful.publisher())) {
      other.drainNow();
      clock.advance(PAUSE);
      other.drainNow();
    }
    assertThat(careful.texts(TOPIC, "a")).containsExactly(numbers("a", 3));
    assertThat(careful.dropped()).isEqualTo(1);
    assertThat(careful.repeats()).isEmpty();
  }

  @Test
  void a_message_that_arrives_twice_is_published_once() throws Exception {
    broker.next(BrokerFault.twice());
    List<MessageId> ids = commit(numbered("a", 2));
    relay.drainNow();
    assertThat(texts()).containsExactly("a 0", "a 0", "a 1");
    assertThat(broker.repeats()).isEqualTo(Map.of(ids.get(0), 1));
    assertThat(broker.overtakings(ids)).isEmpty();
    assertThat(store.readyCount()).isZero();
  }

  @Test
  void messages_land_out_of_order_across_keys_and_in_order_within_them() throws Exception {
    broker.next(BrokerFault.reorder(), BrokerFault.reorder());
    List<MessageId> ids =
        commit(message("a", 0), message("a", 1), message("b", 0), message("a", 2));
    relay.drainNow();
    assertThat(texts()).containsExactly("a 0", "b 0", "a 1", "a 2");
    assertThat(broker.overtakings(ids)).isEmpty();
  }

  @Test
  void what_lands_late_is_there_when_somebody_looks() throws Exception {
    broker.next(BrokerFault.reorder());
    commit(message("a", 0));
    relay.drainNow();
    assertThat(store.readyCount()).isZero();
    assertThat(broker.count()).isEqualTo(1);
  }

  @Test
  void a_slow_broker_moves_the_clock_and_what_is_not_begun_in_time_leaves_later() throws Exception {
    broker.next(BrokerFault.slow(Duration.ofSeconds(28)));
    Instant before = clock.instant();
    commit(numbered("a", 3));
    relay.drainNow();
    assertThat(clock.instant()).isEqualTo(before.plusSeconds(28));
    drainAfter(PAUSE);
    assertThat(texts()).containsExactly(numbers("a", 3));
    assertThat(counted).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void a_connection_that_breaks_in_mid_batch_keeps_order_and_repeats_nothing(int arrived)
      throws Exception {
    broker.next(BrokerFault.disconnectAfter(arrived));
    commit(numbered("a", 5));
    relay.drainNow();
    assertThat(texts()).containsExactly(numbers("a", arrived));
    drainAfter(PAUSE);
    assertThat(texts()).containsExactly(numbers("a", 5));
    assertThat(counted).hasValue(0);
  }

  @Test
  void a_broken_connection_with_a_lost_confirmation_repeats_that_message_only() throws Exception {
    broker.next(BrokerFault.none(), BrokerFault.disconnectAfter(1).and(BrokerFault.loseConfirm()));
    commit(message("a", 0), message("b", 0), message("c", 0));
    relay.drainNow();
    assertThat(texts()).containsExactly("a 0", "b 0");
    drainAfter(PAUSE);
    drainAfter(PAUSE);
    assertThat(texts()).containsExactlyInAnyOrder("a 0", "b 0", "b 0", "c 0");
  }

  @Test
  void a_broker_that_goes_down_comes_back_by_its_own_clock() throws Exception {
    broker.next(BrokerFault.none(), BrokerFault.goDown(Duration.ofMinutes(30)));
    commit(numbered("a", 3));
    relay.drainNow();
    drainAfter(Duration.ofMinutes(29));
    assertThat(texts()).containsExactly("a 0");
    drainAfter(Duration.ofMinutes(6));
    assertThat(texts()).containsExactly(numbers("a", 3));
    assertThat(counted).hasValue(0);
    assertThat(broker.repeats()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void random_faults_lose_nothing_and_keep_every_key_in_order(long seed) throws Exception {
    broker.randomly(
        seed,
        Map.of(
            BrokerFault.refuse(), 0.1,
            BrokerFault.timeOut(), 0.05,
            BrokerFault.loseConfirm(), 0.1,
            BrokerFault.twice(), 0.1,
            BrokerFault.reorder(), 0.2,
            BrokerFault.disconnectAfter(2), 0.05,
            BrokerFault.goDown(Duration.ofSeconds(30)), 0.01));
    List<MessageId> ids = new ArrayList<>();
    for (String key : List.of("a", "b", "c")) {
      ids.addAll(commit(numbered(key, 40)));
    }
    for (int minute = 0; broker.ids().size() < ids.size() && minute < 500; minute++) {
      drainAfter(PAUSE);
    }
    assertThat(broker.ids()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(broker.overtakings(ids)).as("seed %d", seed).isEmpty();
    assertThat(broker.repeats()).as("faults have struck, seed %d", seed).isNotEmpty();
  }

  @Test
  void a_seed_repeats_its_faults() throws Exception {
    assertThat(arrivalsOf(7)).isEqualTo(arrivalsOf(7)).isNotEqualTo(arrivalsOf(8));
  }

  private static List<String> arrivalsOf(long seed) throws Exception {
    BrokerFaultTest run = new BrokerFaultTest();
    run.broker.randomly(
        seed,
        Map.of(BrokerFault.twice(), 0.3, BrokerFault.reorder(), 0.3, BrokerFault.none(), 0.1));
    for (int number = 0; number < 20; number++) {
      run.commit(message("a", number), message("b", number));
    }
    run.relay.drainNow();
    run.close();
    return run.texts();
  }

  /** Such as an assertion in the condition of a fault. */
  @Test
  void an_error_on_the_thread_of_the_broker_is_an_answer() throws Exception {
    broker.when(
        envelope -> {
          throw new AssertionError("no such order");
        },
        BrokerFault.none());
    Deque<Runnable> tasks = new ArrayDeque<>();
    commit(message("a", 0));
    try (ManualRelay async = relay(broker.asyncPublisher(tasks::add))) {
      async.drainNow();
      tasks.remove().run();
      async.drainNow();
      assertThat(store.contents().parked()).hasSize(1);
    }
  }
}
