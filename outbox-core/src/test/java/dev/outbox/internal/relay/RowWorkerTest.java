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
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RowWorkerTest {
  private static final Duration TURN = Duration.ofMillis(1);

  private final ScriptedRows rows = new ScriptedRows();
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
    rows.ready = List.of(first);
    rows.transaction = new ScriptedSession("3B001").connection();
    rows.refusal = StoreException.contended("the commit was refused", null);
    workers.forEach(each -> refused(each));
    rows.refusal = null;
    workers.get(0).step();
    assertThat(sent).hasSize(2);
    assertThat(rows.settled).hasSize(1).noneMatch(fate -> fate instanceof Fate.Deliver);

    rows.ready = List.of(then.apply(first));
    workers.get(1).step();

    assertThat(sent).hasSize(3);
    assertThat(rows.settled).hasSize(2).last().isInstanceOf(Fate.Deliver.class);
  }

  private static void refused(RowWorker turns) {
    assertThatExceptionOfType(StoreException.class).isThrownBy(turns::step);
    turns.afterFailure(StoreException.passing("refused", null));
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
}
