package dev.outbox.internal.relay.flight;

import static dev.outbox.internal.relay.Samples.atSecond;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.internal.relay.CountingObserver;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OpenFlightTest {
  private static final Duration TIME = Duration.ofSeconds(30);

  private final CountingObserver observer = new CountingObserver();
  private final OpenFlight flight =
      new OpenFlight(List.of(Samples.ready(1, "a"), Samples.ready(2, "b")), null, observer);
  private final Envelope first = flight.envelopes().get(0);
  private final Envelope second = flight.envelopes().get(1);

  @Test
  void is_over_with_its_last_answer() {
    takeOff();

    flight.ack(second, Ack.delivered());
    assertThat(flight.isAnswered()).isFalse();
    assertThat(observer.over).hasValue(0);

    flight.ack(first, Ack.delivered());
    assertThat(flight.isAnswered()).isTrue();
    assertThat(observer.over).hasValue(1);
    assertThat(observer.ignored).hasValue(0);
  }

  @Test
  void calls_for_no_more_sends_in_the_last_tenth_of_its_time() {
    assertThat(flight.shouldStop()).isTrue();
    takeOff();
    assertThat(flight.shouldStop()).isFalse();

    observer.now = Samples.atSecond(26);
    assertThat(flight.shouldStop()).isFalse();
    observer.now = Samples.atSecond(27);
    assertThat(flight.shouldStop()).isTrue();
  }

  @Test
  void a_second_answer_is_ignored_and_counted() {
    takeOff();
    flight.ack(first, Ack.rejected("no"));

    flight.ack(first, Ack.delivered());

    assertThat(flight.answer(0)).isEqualTo(Ack.rejected("no"));
    assertThat(flight.isAnswered()).isFalse();
    assertThat(observer.ignored).hasValue(1);
  }

  @Test
  void knows_when_each_was_answered_unless_it_was_overruled() {
    takeOff();
    observer.now = atSecond(1);
    flight.ack(second, Ack.delivered());
    observer.now = atSecond(2);
    flight.ack(second, Ack.rejected("a repeat"));

    assertThat(flight.answered(0)).isNull();
    assertThat(flight.answered(1)).isEqualTo(atSecond(1));
    flight.overrule(Ack.notSent("undone"));
    assertThat(flight.answered(1)).isNull();
  }

  @Test
  void a_strangers_answer_is_ignored_and_counted() {
    takeOff();

    flight.ack(Samples.envelope("a"), Ack.delivered());
    flight.ack(null, Ack.delivered());

    assertThat(observer.ignored).hasValue(2);
    assertThat(flight.answer(0)).isNull();
  }

  @Test
  void an_equal_envelope_that_is_another_instance_is_a_stranger() {
    takeOff();
    Envelope twin =
        new Envelope(
            first.id(), first.topic(), first.key(), first.headers(), first.payload(), null);
    assertThat(twin).isEqualTo(first);

    flight.ack(twin, Ack.delivered());

    assertThat(observer.ignored).hasValue(1);
  }

  @Test
  void two_equal_envelopes_aboard_are_answered_each() {
    Envelope twin =
        new Envelope(
            first.id(), first.topic(), first.key(), first.headers(), first.payload(), null);
    OpenFlight twins =
        new OpenFlight(
            List.of(
                StoredEnvelope.ready(1, Samples.LANE, first),
                StoredEnvelope.ready(2, Samples.LANE, twin)),
            null,
            observer);
    twins.takeOff(atSecond(0), TIME);

    twins.ack(twin, Ack.rejected("second"));
    assertThat(twins.isAnswered()).isFalse();
    twins.ack(first, Ack.delivered());

    assertThat(twins.answer(0)).isEqualTo(Ack.delivered());
    assertThat(twins.answer(1)).isEqualTo(Ack.rejected("second"));
    assertThat(twins.isAnswered()).isTrue();
  }

  @Test
  void an_answer_before_take_off_or_after_landing_is_ignored_and_counted() {
    flight.ack(first, Ack.delivered());
    takeOff();
    flight.land();
    flight.ack(second, Ack.delivered());

    assertThat(observer.ignored).hasValue(2);
    assertThat(flight.answer(0)).isNull();
    assertThat(flight.answer(1)).isNull();
  }

  @Test
  void a_null_answer_is_a_failure_and_does_not_end_the_flight_early() {
    takeOff();

    flight.ack(first, null);
    flight.ack(first, Ack.delivered());

    assertThat(flight.isAnswered()).isFalse();
    assertThat(flight.answer(0)).isInstanceOf(Ack.Failed.class);
    assertThat(observer.over).hasValue(0);
  }

  @Test
  void takes_off_once_and_knows_its_deadline() {
    assertThat(flight.airborne(atSecond(9))).isNull();

    assertThat(flight.takeOff(atSecond(10), TIME)).isTrue();
    assertThat(flight.takeOff(atSecond(11), TIME)).isFalse();

    assertThat(flight.deadline()).isEqualTo(Samples.START.plusSeconds(40));
    assertThat(flight.airborne(atSecond(12))).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void a_wall_clock_that_is_set_forward_takes_nothing_of_its_time() {
    takeOff();
    Ticker.Moment soon = atSecond(1);
    observer.now = new Ticker.Moment(soon.nanos(), soon.wall().plus(Duration.ofDays(1)));

    assertThat(flight.shouldStop()).isFalse();
    assertThat(flight.airborne(observer.now)).isEqualTo(Duration.ofSeconds(1));
    flight.land();
    assertThat(flight.isOverdue()).isFalse();
  }

  @Test
  void stays_on_the_ground_once_grounded_but_not_once_in_flight() {
    assertThat(flight.ground()).isTrue();
    assertThat(flight.takeOff(atSecond(0), TIME)).isFalse();
    assertThat(flight.isGrounded()).isTrue();
    assertThat(observer.over).hasValue(1);

    OpenFlight other = new OpenFlight(List.of(Samples.ready(1, "a")), null, observer);
    other.takeOff(atSecond(0), TIME);
    assertThat(other.ground()).isFalse();
    assertThat(other.isGrounded()).isFalse();
  }

  @Test
  void of_take_off_and_grounding_at_the_same_time_exactly_one_wins() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 2000; round++) {
        OpenFlight each = new OpenFlight(List.of(Samples.ready(1, "a")), null, observer);
        List<Boolean> won = together(threads, () -> each.takeOff(atSecond(0), TIME), each::ground);
        assertThat(won).as("round %d", round).containsOnlyOnce(true);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void answers_of_eight_threads_end_the_flight_once_and_count_every_repeat() throws Exception {
    List<StoredEnvelope> aboard = new ArrayList<>();
    for (int id = 0; id < 500; id++) {
      aboard.add(Samples.ready(id, null));
    }
    OpenFlight big = new OpenFlight(aboard, null, observer);
    big.takeOff(atSecond(0), TIME);
    AtomicInteger next = new AtomicInteger();
    Callable<Boolean> answering =
        () -> {
          int start = next.getAndAdd(61);
          for (int i = 0; i < 500; i++) {
            big.ack(big.envelopes().get((start + i) % 500), Ack.delivered());
          }
          return true;
        };
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      together(
          threads, answering, answering, answering, answering, answering, answering, answering,
          answering);
    } finally {
      threads.shutdownNow();
    }

    assertThat(big.isAnswered()).isTrue();
    assertThat(observer.over).hasValue(1);
    assertThat(observer.ignored).hasValue(7 * 500);
  }

  @Test
  void under_a_lease_the_end_is_signalled_only_to_who_awaits_it() {
    OpenFlight leased = leased();

    leased.ack(leased.envelopes().get(0), Ack.delivered());

    assertThat(observer.over).hasValue(0);
    assertThat(leased.await()).as("has ended").isTrue();

    OpenFlight awaited = leased();
    assertThat(awaited.await()).as("has ended").isFalse();
    awaited.ack(awaited.envelopes().get(0), Ack.delivered());
    assertThat(observer.over).hasValue(1);
  }

  @Test
  void what_is_not_delivered_is_signalled_to_all() {
    OpenFlight leased = leased();

    leased.ack(leased.envelopes().get(0), Ack.notSent("not now"));

    assertThat(observer.over).hasValue(1);
  }

  @Test
  void the_end_of_a_recalled_flight_is_awaited() {
    OpenFlight leased = leased();
    leased.recall();

    leased.ack(leased.envelopes().get(0), Ack.delivered());

    assertThat(observer.over).hasValue(1);
  }

  @Test
  void an_end_beside_the_call_that_awaits_it_is_never_missed() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 5000; round++) {
        OpenFlight each = leased();
        int before = observer.over.get();
        List<Boolean> results =
            together(
                threads,
                each::await,
                () -> {
                  each.ack(each.envelopes().get(0), Ack.delivered());
                  return false;
                });
        boolean isTold = results.contains(true) || observer.over.get() > before;
        assertThat(isTold).as("round %d", round).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void knows_when_its_last_answer_came() {
    takeOff();
    observer.now = atSecond(1);
    flight.ack(second, Ack.delivered());
    observer.now = atSecond(2);
    flight.ack(first, Ack.delivered());

    assertThat(flight.lastAnswer()).isEqualTo(atSecond(2));
  }

  private OpenFlight leased() {
    OpenFlight leased = new OpenFlight(List.of(Samples.ready(1, "a")), 1, observer);
    leased.takeOff(atSecond(0), TIME);
    return leased;
  }

  @Test
  void has_no_transaction_where_lanes_are_claimed() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(flight::transaction)
        .withMessageContaining("row claims");
  }

  private void takeOff() {
    assertThat(flight.takeOff(atSecond(0), TIME)).isTrue();
  }

  @SafeVarargs
  private static List<Boolean> together(ExecutorService threads, Callable<Boolean>... tasks)
      throws Exception {
    CyclicBarrier start = new CyclicBarrier(tasks.length);
    List<Future<Boolean>> running = new ArrayList<>();
    for (Callable<Boolean> task : tasks) {
      running.add(
          threads.submit(
              () -> {
                start.await();
                return task.call();
              }));
    }
    List<Boolean> results = new ArrayList<>();
    for (Future<Boolean> each : running) {
      results.add(each.get());
    }
    return results;
  }
}
