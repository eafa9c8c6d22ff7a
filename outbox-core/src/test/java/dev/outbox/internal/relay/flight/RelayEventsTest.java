package dev.outbox.internal.relay.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.RelayStatus;
import dev.outbox.internal.relay.LogLines;
import dev.outbox.internal.relay.Recorded;
import dev.outbox.internal.relay.RelayState;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.base.GuardedListener;
import dev.outbox.message.Envelope;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RelayEventsTest {
  private final List<String> heard = new ArrayList<>();
  private final AtomicInteger woken = new AtomicInteger();
  private final RelayState relayState = new RelayState();
  private final RelayEvents relayEvents =
      new RelayEvents(
          Samples.settings(new Hearing(heard)),
          woken::incrementAndGet,
          () -> Samples.atSecond(0),
          relayState.relayCounters);

  @Test
  void a_settlement_is_one_report_and_each_dead_letter_another() {
    StoredEnvelope one = Samples.ready(1, "a");

    relayEvents.settled(
        List.of(
            new Fate.Deliver(one),
            new Fate.Deliver(one),
            Samples.decision().follow(one),
            new Fate.Bury(one, Reason.REJECTED, "bad", 1, "", false)),
        5);

    assertThat(heard)
        .containsExactly(
            "died REJECTED: bad", "Settled[delivered=2, parked=1, deadLettered=1, missing=5]");
  }

  @Test
  void a_plain_renewal_is_no_news() {
    relayEvents.settled(List.of(), 0);

    assertThat(heard).isEmpty();
  }

  @Test
  void ignored_answers_are_reported_once_as_a_sum() {
    relayEvents.ignoredAnswer();
    relayEvents.ignoredAnswer();
    relayEvents.ignoredAnswers();
    relayEvents.ignoredAnswers();

    assertThat(heard).containsExactly("ignored 2");
  }

  @Test
  void the_first_answer_for_a_stranger_is_logged_and_all_are_counted() {
    Envelope stranger = Samples.envelope("a");

    List<String> lines =
        LogLines.of(
            () -> {
              relayEvents.strangersAnswer(stranger);
              relayEvents.strangersAnswer(null);
              relayEvents.ignoredAnswers();
            });

    assertThat(lines)
        .singleElement(STRING)
        .contains("message=" + stranger.id() + " was answered, but is not in the flight");
    assertThat(heard).containsExactly("ignored 2");
  }

  @Test
  void the_end_of_a_flight_wakes_the_loop() {
    relayEvents.flightIsOver();

    assertThat(woken).hasValue(1);
  }

  @Test
  void a_listener_that_throws_changes_nothing_and_others_hear_all_the_same() {
    List<Supplier<? extends Throwable>> kinds =
        List.of(
            () -> new IllegalStateException("listener"), () -> new NoSuchMethodError("metrics"));
    for (Supplier<? extends Throwable> kind : kinds) {
      RelayListener listener =
          new GuardedListener("test", List.of(new Throwing(kind), new Hearing(heard)));

      assertThatCode(
              () -> {
                listener.settled(new RelayListener.Settled(0, 0, 0, 0));
                listener.deadLettered(Samples.envelope("a"), DeadLetter.Reason.REJECTED, "bad");
                listener.foundLate(Samples.LANE.number(), 1);
                listener.fenced(Samples.LANE.number());
                listener.storeFailed(new IllegalStateException(), Duration.ZERO);
                listener.ignoredAnswers(1);
              })
          .doesNotThrowAnyException();
      assertThat(heard).as("by the other").hasSize(4);
      heard.clear();
    }
  }

  @Test
  void messages_below_a_floor_are_reported_by_lane_and_none_is_no_news() {
    relayEvents.foundLate(Samples.LANE, 0);
    relayEvents.foundLate(Samples.LANE, 3);

    assertThat(heard).containsExactly("late 3 in " + Samples.LANE.number());
  }

  @Test
  void what_is_reported_is_counted_too() {
    StoredEnvelope one = Samples.ready(1, "a");
    relayEvents.settled(List.of(new Fate.Deliver(one), Samples.decision().follow(one)), 5);
    relayEvents.foundLate(Samples.LANE, 3);
    relayEvents.fenced(Samples.LANE);
    relayEvents.ignoredAnswer();
    relayEvents.ignoredAnswers();

    assertThat(relayState.relayCounters.counts())
        .isEqualTo(new RelayStatus.Counts(1, 1, 0, 5, 0, 1, 1, 3));
  }

  @Test
  void a_lane_that_is_lost_is_in_a_recording() {
    assertThat(Recorded.of("dev.outbox.Fenced", () -> relayEvents.fenced(Samples.LANE)))
        .singleElement()
        .extracting(event -> event.getInt("lane"))
        .isEqualTo(Samples.LANE.number());
  }

  @Test
  void what_was_delivered_in_a_lost_lane_counts_as_repeated_and_what_failed_does_not() {
    StoredEnvelope one = Samples.ready(1, "a");
    List<Fate> fates =
        List.of(new Fate.Deliver(one), new Fate.Deliver(one), Samples.decision().follow(one));
    Lease lease = new Lease(one.lane(), "test", 1, 0);
    relayEvents.lost(new Settlement(lease, 0, fates, Settlement.After.RENEW));

    assertThat(relayState.relayCounters.counts().repeated()).isEqualTo(2);
  }

  private record Hearing(List<String> heard) implements RelayListener {
    @Override
    public void settled(Settled settled) {
      heard.add(settled.toString());
    }

    @Override
    public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {
      heard.add("died " + reason + ": " + error);
    }

    @Override
    public void foundLate(int lane, int count) {
      heard.add("late " + count + " in " + lane);
    }

    @Override
    public void ignoredAnswers(int count) {
      heard.add("ignored " + count);
    }
  }

  private record Throwing(Supplier<? extends Throwable> kind) implements RelayListener {
    @Override
    public void settled(Settled settled) {
      raise();
    }

    @Override
    public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {
      raise();
    }

    @Override
    public void foundLate(int lane, int count) {
      raise();
    }

    @Override
    public void fenced(int lane) {
      raise();
    }

    @Override
    public void storeFailed(Throwable cause, Duration rest) {
      raise();
    }

    @Override
    public void ignoredAnswers(int count) {
      raise();
    }

    private void raise() {
      Throwable thrown = kind.get();
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) thrown;
    }
  }
}
