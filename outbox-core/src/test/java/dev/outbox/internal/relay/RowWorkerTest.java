package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.outbox.StoreException;
import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.base.RelayCounters;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowWorkerTest {
  private static final Duration TURN = Duration.ofMillis(1);

  private final Rows rows = new Rows();
  private Instant now = Samples.START;

  @Test
  void an_interrupt_of_the_publishers_own_does_not_end_the_worker() {
    RowWorker turns =
        turns(
            Publisher.blocking(
                each -> {
                  throw new InterruptedException();
                }));

    turns.step();

    assertThat(Thread.interrupted()).isFalse();
    assertThat(rows.settled).isEmpty();
  }

  @Test
  void a_close_that_interrupts_the_wait_for_answers_counts_nothing() throws Exception {
    Thread worker = Thread.currentThread();
    AtomicReference<Thread> closer = new AtomicReference<>();
    RowWorker turns =
        turns(
            flight -> {
              closer.set(new Thread(() -> interruptOnceItWaits(worker)));
              closer.get().start();
            });

    turns.step();

    assertThat(Thread.interrupted()).isTrue();
    closer.get().join();
    assertThat(rows.settled).isEmpty();
  }

  @Test
  @Timeout(10)
  void a_publisher_that_returns_at_its_deadline_is_not_waited_for_as_long_again() {
    Duration deadline = Samples.settings(RelayListener.SILENT).deadlines().publish();
    RowWorker turns = turns(flight -> now = now.plus(deadline));

    turns.step();

    assertThat(rows.settled).hasSize(1);
  }

  @Test
  void a_turn_that_is_told_to_stop_takes_no_other_message() {
    AtomicReference<RowWorker> told = new AtomicReference<>();
    AtomicInteger sent = new AtomicInteger();
    RowWorker turns =
        turns(
            Publisher.blocking(
                each -> {
                  sent.incrementAndGet();
                  told.get().stop();
                }));
    told.set(turns);
    rows.due = List.of(Samples.of(2, new byte[0]));

    turns.step();

    assertThat(sent).hasValue(1);
    assertThat(rows.settled).hasSize(1);
  }

  /** The database would look through all that is parked, again and again. */
  @Test
  void a_topic_that_stays_paused_is_not_released_from_again_and_again() {
    rows.topics = Map.of(Samples.TOPIC, Setting.NONE.withPaused(true));
    rows.empty = true;
    RowWorker turns = turns(Publisher.blocking(each -> {}));

    takeTurns(turns, Duration.ofSeconds(9));

    assertThat(rows.releases).isBetween(1, 2);
  }

  private static void interruptOnceItWaits(Thread worker) {
    while (worker.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    worker.interrupt();
  }

  @Test
  void looks_at_how_it_stands_about_ten_times_a_second() {
    Surroundings surroundings = Samples.surroundings(Ticker.of(() -> now));
    RelayCounters counters = surroundings.relayState().relayCounters;
    RowWorker turns = turns(Publisher.blocking(each -> {}), surroundings);
    turns.step();
    Instant first = counters.sample().when().wall();

    now = now.plusMillis(99);
    turns.step();
    assertThat(counters.sample().when().wall()).isEqualTo(first);
    assertThat(turns.longestRest()).isLessThanOrEqualTo(Duration.ofMillis(100));

    now = now.plusMillis(1);
    turns.step();
    assertThat(counters.sample().when().wall()).isEqualTo(now);
  }

  @Test
  void rests_at_least_as_long_as_an_unavailable_publisher_asks() {
    RowWorker turns = turns(flight -> answerDown(flight, Duration.ofSeconds(10)));
    turns.step();
    int claims = rows.claims;

    now = now.plusSeconds(9);
    turns.step();
    assertThat(rows.claims).isEqualTo(claims);

    now = now.plusSeconds(1);
    turns.step();
    assertThat(rows.claims).isGreaterThan(claims);
    assertThat(rows.settled).isEmpty();
  }

  @Test
  void a_start_that_fails_half_way_leaves_no_worker_behind() {
    AtomicInteger opened = new AtomicInteger();
    ScriptedStore store =
        ScriptedStore.ofRows(
            () -> {
              if (opened.incrementAndGet() == 2) {
                throw new IllegalStateException("no connection for the second worker");
              }
              return rows;
            });

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                new RelayEngine(
                    store,
                    Publisher.blocking(each -> {}),
                    Samples.settings(RelayListener.SILENT),
                    new RelayEngine.Staff(2, null)));

    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("outbox-test-worker"));
  }

  @Test
  void neither_does_one_that_finds_no_thread_for_its_second_worker() {
    rows.empty = true;
    AtomicInteger made = new AtomicInteger();

    assertThatExceptionOfType(OutOfMemoryError.class)
        .isThrownBy(
            () ->
                new RelayEngine(
                    ScriptedStore.ofRows(() -> rows),
                    Publisher.blocking(each -> {}),
                    Samples.settings(RelayListener.SILENT),
                    new RelayEngine.Staff(3, null),
                    task -> made.incrementAndGet() == 2 ? unstartable(task) : new Thread(task)));

    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("outbox-test-worker"));
  }

  private static Thread unstartable(Runnable task) {
    return new Thread(task) {
      @Override
      public synchronized void start() {
        throw new OutOfMemoryError("unable to create native thread");
      }
    };
  }

  @Test
  void large_payloads_are_claimed_few_at_a_time() {
    RowWorker turns = turns(Publisher.blocking(each -> {}));
    rows.payload = new byte[400 << 10]; // of the megabyte that may be in memory

    turns.step();
    turns.step();
    assertThat(rows.asked).isEqualTo(2);

    rows.payload = new byte[10];
    turns.step();
    turns.step();
    assertThat(rows.asked).isEqualTo(100);

    rows.payload = new byte[2 << 20];
    turns.step();
    turns.step();
    assertThat(rows.asked).isEqualTo(1);
  }

  @Test
  void a_worker_does_not_sleep_for_long_while_anothers_probe_is_in_flight() {
    Surroundings first = Samples.surroundings(Ticker.of(() -> now));
    Surroundings second =
        new Surroundings(
            Runnable::run, first.ticker(), () -> {}, first.wakeupQueue(), first.relayState());
    List<Duration> rests = new ArrayList<>();
    AtomicReference<RowWorker> other = new AtomicReference<>();
    Publisher down =
        flight -> {
          if (now.isAfter(Samples.START)) {
            other.get().step();
            rests.add(other.get().longestRest());
          }
          answerDown(flight, null);
        };
    RowWorker one = turns(down, first);
    other.set(turns(down, second));
    one.step();
    now = now.plusSeconds(1);

    one.step();

    assertThat(rests)
        .singleElement()
        .satisfies(rest -> assertThat(rest).isLessThanOrEqualTo(Duration.ofSeconds(1)));
  }

  @Test
  void a_worker_says_that_it_lives_however_long_its_publisher_asks_to_be_left_alone() {
    RowWorker turns = turns(flight -> answerDown(flight, Duration.ofMinutes(10)));

    turns.step();

    assertThat(turns.longestRest()).isLessThanOrEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void a_claim_that_is_lost_in_flight_keeps_no_place_of_its_topic() {
    rows.topics = Map.of(Samples.TOPIC, Setting.NONE.withInFlight(1));
    List<Envelope> sent = new ArrayList<>();
    RowWorker turns = turns(Publisher.transactional((envelope, transaction) -> sent.add(envelope)));
    rows.transaction = session(false);
    assertThatExceptionOfType(StoreException.class).isThrownBy(turns::step);
    assertThat(sent).isEmpty();

    rows.transaction = session(true);
    turns.afterFailure(StoreException.passing("down", null));
    turns.step();

    assertThat(sent).hasSize(1);
  }

  @Test
  void a_message_that_was_replayed_is_handled_before_it_counts_as_failed_again() {
    countsWhatItHandles(
        counted -> StoredEnvelope.ready(counted.id() + 1, counted.lane(), counted.envelope()));
  }

  @Test
  void so_is_one_of_which_another_worker_has_counted_the_attempt() {
    RetryState retryState = new RetryState(1, Duration.ZERO, "");
    countsWhatItHandles(
        counted ->
            new StoredEnvelope(counted.id(), counted.lane(), counted.envelope(), retryState, null));
  }

  /**
   * Two workers each see a commit refused; one of them counts it, and the other meets {@code then}.
   */
  private void countsWhatItHandles(UnaryOperator<StoredEnvelope> then) {
    Surroundings surroundings = Samples.surroundings(Ticker.of(() -> now));
    List<Envelope> sent = new ArrayList<>();
    Publisher publisher = Publisher.transactional((envelope, transaction) -> sent.add(envelope));
    List<RowWorker> workers =
        List.of(turns(publisher, surroundings), turns(publisher, surroundings));
    StoredEnvelope first = Samples.of(1, new byte[0]);
    rows.ready = first;
    rows.transaction = session(true);
    rows.refusal = StoreException.contended("the commit was refused", null);
    workers.forEach(each -> refused(each));
    rows.refusal = null;
    workers.get(0).step();
    assertThat(sent).hasSize(2);
    assertThat(rows.settled).hasSize(1).noneMatch(fate -> fate instanceof Fate.Deliver);

    rows.ready = then.apply(first);
    workers.get(1).step();

    assertThat(sent).hasSize(3);
    assertThat(rows.settled).hasSize(2).last().isInstanceOf(Fate.Deliver.class);
  }

  private static void refused(RowWorker turns) {
    assertThatExceptionOfType(StoreException.class).isThrownBy(turns::step);
    turns.afterFailure(StoreException.passing("refused", null));
  }

  @Test
  void a_claim_that_a_publisher_may_have_committed_is_told_with_what_may_be_gone() {
    List<String> told = LogLines.of(() -> ended(Publisher.transactional((each, session) -> {})));

    assertThat(told)
        .filteredOn(line -> line.contains("may be gone"))
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .contains("ERROR", rows.ready.envelope().id().toString(), "enqueue"));
  }

  @Test
  void one_that_the_database_has_rolled_back_is_not() {
    List<String> told =
        LogLines.of(
            () ->
                ended(
                    Publisher.transactional(
                        (each, session) -> {
                          throw new SQLTransactionRollbackException("deadlock", "40001");
                        })));

    assertThat(told).noneMatch(line -> line.contains("may be gone"));
  }

  /** A pool closes what it takes for lost, and says no state afterwards. */
  @ParameterizedTest
  @ValueSource(strings = {"08006", "57P01"})
  void one_whose_connection_is_lost_is_not_either(String state) {
    List<String> told =
        LogLines.of(
            () ->
                ended(
                    null,
                    Publisher.transactional(
                        (each, session) -> {
                          throw new SQLException("terminated", state);
                        })));

    assertThat(told).noneMatch(line -> line.contains("may be gone"));
  }

  /** After the claim's transaction there is another one, which knows no savepoint of it. */
  private void ended(Publisher publisher) {
    ended("3B001", publisher);
  }

  private void ended(@Nullable String state, Publisher publisher) {
    rows.ready = Samples.of(1, new byte[0]);
    rows.transaction = session(Set.of("releaseSavepoint", "rollback"), state);
    refused(turns(publisher));
  }

  @Test
  void to_look_behind_a_topic_that_is_down_takes_a_small_part_of_the_time() {
    RowWorker turns = turns(flight -> answerDown(flight, Duration.ofMinutes(10)));
    turns.step();
    rows.wading = () -> now = now.plusSeconds(1);

    takeTurns(turns, Duration.ofMinutes(2));

    assertThat(rows.looksBehind).isBetween(5, 15);
  }

  @Test
  void a_look_behind_that_fails_keeps_no_probe_waiting() {
    AtomicInteger sent = new AtomicInteger();
    RowWorker turns =
        turns(
            flight -> {
              sent.incrementAndGet();
              answerDown(flight, Duration.ofSeconds(10));
            });
    turns.step();
    rows.wading =
        () -> {
          now = now.plusSeconds(40);
          throw StoreException.passing("too slow", null);
        };
    for (int turn = 0; turn < 5; turn++) {
      try {
        turns.step();
      } catch (StoreException e) {
        turns.afterFailure(e);
      }
      now = now.plusSeconds(11);
    }

    assertThat(sent).hasValueGreaterThan(1);
    assertThat(rows.looksBehind).isEqualTo(1);
  }

  @Test
  void an_idle_worker_probes_when_the_probe_is_due() {
    List<Instant> sent = new ArrayList<>();
    RowWorker turns =
        turns(
            flight -> {
              sent.add(now);
              answerDown(flight, null);
            });
    rows.empty = true;
    takeTurns(turns, Duration.ofSeconds(30));
    rows.empty = false;

    takeTurns(turns, Duration.ofSeconds(5));

    assertThat(Duration.between(sent.get(0), sent.get(1)))
        .isBetween(Duration.ofMillis(250), Duration.ofMillis(260));
    assertThat(Duration.between(sent.get(1), sent.get(2)))
        .isBetween(Duration.ofMillis(500), Duration.ofMillis(510));
  }

  @Test
  void a_topic_of_which_no_message_is_left_to_probe_with_is_not_reported_down_for_ever() {
    Surroundings surroundings = Samples.surroundings(Ticker.of(() -> now));
    RowWorker turns = turns(flight -> answerDown(flight, null), surroundings);
    takeTurns(turns, Duration.ofMinutes(5));
    assertThat(surroundings.relayState().relayCounters.sample().down())
        .containsOnlyKeys(Samples.TOPIC);
    rows.empty = true;

    takeTurns(turns, Duration.ofMinutes(5));

    assertThat(surroundings.relayState().relayCounters.sample().down()).isEmpty();
  }

  /** As one that plain SQL has written, and whose column another session does not take. */
  @Test
  void a_delayed_message_that_the_database_refuses_to_move_keeps_no_parked_one_waiting() {
    Surroundings surroundings = Samples.surroundings(Ticker.of(() -> now));
    RowWorker turns = turns(Publisher.blocking(each -> {}), surroundings);
    rows.promoting =
        () -> {
          throw StoreException.lasting("incorrect datetime value", null);
        };

    List<String> told = LogLines.of(() -> takeTurns(turns, Duration.ofSeconds(10)));

    assertThat(rows.dueClaims).isGreaterThan(5);
    assertThat(told).filteredOn(line -> line.contains("the database refuses it")).hasSize(1);
    assertThat(waits(surroundings)).isEqualTo("waits to move due messages, see the log");
    rows.promoting = () -> {};
    assertThat(LogLines.of(() -> takeTurns(turns, Duration.ofSeconds(10))))
        .anyMatch(line -> line.contains("goes on to move due messages"));
    assertThat(waits(surroundings)).isEmpty();
  }

  @Test
  void workers_of_one_relay_tell_once_that_due_messages_cannot_be_moved() {
    Surroundings surroundings = Samples.surroundings(Ticker.of(() -> now));
    List<RowWorker> workers =
        List.of(
            turns(Publisher.blocking(each -> {}), surroundings),
            turns(Publisher.blocking(each -> {}), surroundings));
    rows.promoting =
        () -> {
          throw StoreException.lasting("permission denied", null);
        };

    List<String> told =
        LogLines.of(
            () -> {
              for (int round = 0; round < 10; round++) {
                workers.forEach(each -> takeTurns(each, Duration.ofSeconds(1)));
              }
              rows.promoting = () -> {};
              workers.forEach(each -> takeTurns(each, Duration.ofSeconds(2)));
            });

    assertThat(told)
        .satisfiesExactly(
            line -> assertThat(line).contains("waits to move due messages"),
            line -> assertThat(line).contains("goes on to move due messages"));
  }

  @Test
  void a_worker_that_rests_from_moving_due_messages_leaves_that_to_the_others() {
    Surroundings surroundings = Samples.surroundings(Ticker.of(() -> now));
    RowWorker resting = turns(Publisher.blocking(each -> {}), surroundings);
    RowWorker other = turns(Publisher.blocking(each -> {}), surroundings);
    rows.promoting =
        () -> {
          now = now.plusSeconds(10);
          throw StoreException.contended("locked", null);
        };
    resting.step();
    AtomicInteger moves = new AtomicInteger();
    rows.promoting = moves::incrementAndGet;

    for (int second = 0; second < 20; second++) {
      now = now.plusSeconds(1);
      resting.step();
      other.step();
    }

    assertThat(moves).hasValueBetween(18, 20);
  }

  private static String waits(Surroundings surroundings) {
    return surroundings.relayState().relayCounters.sample().waits();
  }

  @Test
  void one_that_cannot_be_moved_because_the_connection_is_lost_is_an_outage() {
    RowWorker turns = turns(Publisher.blocking(each -> {}));
    rows.promoting =
        () -> {
          throw StoreException.passing("no connection", null);
        };

    assertThatExceptionOfType(StoreException.class).isThrownBy(turns::step);
  }

  /** Takes turns and waits as the loop does. */
  private void takeTurns(RowWorker turns, Duration time) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      Duration rest = turns.step() ? Duration.ZERO : turns.longestRest();
      now = now.plus(rest.compareTo(TURN) < 0 ? TURN : rest);
    }
  }

  /** A session of a database that answers, or does no more. */
  private static Connection session(boolean answers) {
    return session(
        answers ? Set.of() : Set.of("setSavepoint", "releaseSavepoint", "rollback"), "08006");
  }

  private static Connection session(Set<String> failing, @Nullable String sqlState) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (failing.contains(method.getName())) {
                throw new SQLException("refused", sqlState);
              }
              return null;
            });
  }

  private static void answerDown(Flight flight, Duration retryAfter) {
    for (Envelope each : flight.envelopes()) {
      flight.ack(each, new Ack.Unavailable(new IllegalStateException("down"), retryAfter));
    }
  }

  private RowWorker turns(Publisher publisher) {
    return turns(publisher, Samples.surroundings(Ticker.of(() -> now)));
  }

  private RowWorker turns(Publisher publisher, Surroundings surroundings) {
    return new RowWorker(
        ScriptedStore.ofRows(() -> rows),
        publisher,
        Samples.settings(RelayListener.SILENT),
        surroundings);
  }

  /** One ready message at every claim. */
  private static final class Rows implements RowStore {
    private final List<Fate> settled = new ArrayList<>();
    private boolean empty;
    private int claims;
    private int asked;
    private byte[] payload = {};

    /** Claims that passed over the topic, and what happens meanwhile. */
    private int looksBehind;

    private Runnable wading = () -> {};

    private Runnable promoting = () -> {};
    private int dueClaims;
    private int releases;
    private List<StoredEnvelope> due = List.of();

    private Map<String, Setting> topics = Map.of();
    private Connection transaction;
    private StoredEnvelope ready;
    private StoreException refusal;

    @Override
    public RowClaim claim(int atMost, Set<String> heldTopics) {
      asked = atMost;
      boolean held = heldTopics.contains(Samples.TOPIC);
      if (held) {
        looksBehind++;
        wading.run();
      } else {
        claims++;
      }
      StoredEnvelope message = ready == null ? Samples.of(1, payload) : ready;
      return new Claim(held || empty ? List.of() : List.of(message), this);
    }

    @Override
    public RowClaim claimDue(int atMost, Set<String> heldTopics) {
      dueClaims++;
      return new Claim(due, this);
    }

    @Override
    public int release(Set<String> heldTopics, int atMost) {
      releases++;
      return 0;
    }

    @Override
    public Map<String, Setting> topics() {
      return topics;
    }

    @Override
    public RelayRegistry registry() {
      return new ScriptedLanes(0);
    }

    @Override
    public void abort() {}

    @Override
    public int promoteDue(int atMost) {
      promoting.run();
      return 0;
    }

    @Override
    public void close() {}
  }

  private record Claim(List<StoredEnvelope> messages, Rows rows) implements RowClaim {
    @Override
    public Connection transaction() {
      return rows.transaction;
    }

    @Override
    public void settle(List<Fate> fates) {
      if (rows.refusal != null) {
        throw rows.refusal;
      }
      rows.settled.addAll(fates);
    }

    @Override
    public void close() {}
  }
}
