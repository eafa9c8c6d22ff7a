package dev.outbox.internal.relay.batch;

import static dev.outbox.internal.relay.Samples.atSecond;
import static dev.outbox.internal.relay.Samples.decision;
import static dev.outbox.internal.relay.Samples.parked;
import static dev.outbox.internal.relay.Samples.ready;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.publish.Ack;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettleDecisionTest {
  private final StoredEnvelope fresh = ready(1, "a");

  @Test
  void Delivered_is_done_and_its_key_goes_on() {
    assertThat(decide(fresh, Ack.delivered()))
        .isEqualTo(
            new SettleDecision.Decision(new Fate.Deliver(fresh), SettleDecision.Later.GO_ON));
  }

  @Test
  void Failed_parks_with_the_attempt_counted_and_its_key_follows() {
    SettleDecision.Decision decided =
        decide(fresh, Ack.failed(new IllegalStateException("no broker")));

    assertThat(decided.later()).isEqualTo(SettleDecision.Later.FOLLOW);
    assertThat(decided.fate())
        .isEqualTo(
            new Fate.Park(
                fresh,
                HoldReason.FAILED,
                1,
                Samples.REST,
                "java.lang.IllegalStateException: no broker",
                "2030-01-01T00:00:00Z attempt 1: java.lang.IllegalStateException: no broker"));
  }

  @Test
  void a_failed_probe_makes_room_for_another_message_without_a_counted_attempt() {
    SettleDecision.Decision decided =
        decision()
            .probed(
                fresh,
                new Ack.Failed(new IllegalStateException("no"), null),
                Duration.ofSeconds(8));

    assertThat(decided)
        .isEqualTo(
            new SettleDecision.Decision(
                new Fate.Park(
                    fresh,
                    HoldReason.FAILED,
                    0,
                    Duration.ofSeconds(32),
                    "java.lang.IllegalStateException: no",
                    ""),
                SettleDecision.Later.FOLLOW));
  }

  @Test
  void a_deadly_message_is_buried_with_its_deaths_as_attempts() {
    assertThat(decision().deadly(fresh, 3, atSecond(0)))
        .isEqualTo(
            new Fate.Bury(
                fresh,
                Reason.CRASH,
                "3 relays died with this message alone in flight",
                3,
                "2030-01-01T00:00:00Z attempt 3: 3 relays died with this message alone in flight",
                false));
  }

  @Test
  void a_dead_letter_of_a_strict_topic_holds_its_key_if_it_has_one() {
    SettleDecision strict =
        new SettleDecision(Samples.settings(RelayListener.SILENT).retries(), Samples.TOPIC::equals);
    Ack rejected = Ack.rejected("bad");

    assertThat(strict.decide(fresh, rejected, atSecond(0)).fate())
        .isInstanceOfSatisfying(Fate.Bury.class, bury -> assertThat(bury.holdsKey()).isTrue());
    assertThat(strict.decide(ready(1, null), rejected, atSecond(0)).fate())
        .isInstanceOfSatisfying(Fate.Bury.class, bury -> assertThat(bury.holdsKey()).isFalse());
  }

  @Test
  void a_ready_message_of_a_held_topic_is_parked_with_it() {
    assertThat(decision().hold(fresh))
        .isEqualTo(new Fate.Park(fresh, HoldReason.TOPIC, 0, null, null, ""));
  }

  @Test
  void a_failure_that_the_policy_gives_up_is_buried_and_the_rest_of_its_key_read_again() {
    SettleDecision.Decision decided =
        decide(parked(1, "a", 2), Ack.failed(new IllegalStateException("no")));

    assertThat(decided.later()).isEqualTo(SettleDecision.Later.LEAVE);
    assertThat(decided.fate())
        .isInstanceOfSatisfying(
            Fate.Bury.class,
            bury -> {
              assertThat(bury.reason()).isEqualTo(Reason.EXHAUSTED);
              assertThat(bury.attempts()).isEqualTo(3);
            });
  }

  @Test
  void Rejected_is_buried_at_once_and_the_rest_of_its_key_read_again() {
    SettleDecision.Decision decided = decide(fresh, Ack.rejected("too large"));

    assertThat(decided)
        .isEqualTo(
            new SettleDecision.Decision(
                new Fate.Bury(
                    fresh,
                    Reason.REJECTED,
                    "too large",
                    1,
                    "2030-01-01T00:00:00Z attempt 1: too large",
                    false),
                SettleDecision.Later.LEAVE));
  }

  @Test
  void Unavailable_touches_nothing_and_nothing_of_its_key_passes() {
    assertThat(decide(fresh, Ack.unavailable(new IllegalStateException())))
        .isEqualTo(new SettleDecision.Decision(null, SettleDecision.Later.LEAVE));
  }

  @Test
  void an_unfit_message_is_buried_without_an_attempt() {
    Fate fate =
        decision()
            .unfit(fresh, new StoredEnvelope.Defect(Reason.UNREADABLE, "headers"), atSecond(0));

    assertThat(fate).isEqualTo(new Fate.Bury(fresh, Reason.UNREADABLE, "headers", 0, "", false));
  }

  @Test
  void a_follower_has_no_attempt_no_rest_and_no_error() {
    assertThat(decision().follow(fresh))
        .isEqualTo(new Fate.Park(fresh, HoldReason.FOLLOWER, 0, null, null, ""));
  }

  @Test
  void the_longer_of_policy_and_retryAfter_counts() {
    assertThat(rest(new Ack.Failed(new IllegalStateException(), Duration.ofMinutes(1))))
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(rest(new Ack.Failed(new IllegalStateException(), Duration.ofMillis(1))))
        .isEqualTo(Samples.REST);
  }

  @Test
  void a_rest_that_no_due_time_can_hold_is_cut_so_that_the_settlement_can_be_written() {
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE);

    assertThat(rest(new Ack.Failed(new IllegalStateException(), forever)))
        .isLessThanOrEqualTo(Duration.ofDays(3650));
    assertThat(rest((attempts, failing) -> Optional.of(forever)))
        .isLessThanOrEqualTo(Duration.ofDays(3650));
    assertThat(rest((attempts, failing) -> Optional.of(Duration.ofSeconds(-5))))
        .isEqualTo(Duration.ZERO);
  }

  @Test
  void a_policy_that_throws_or_says_nothing_is_replaced_by_the_standard_one() {
    List<RetryPolicy> broken =
        List.of(
            (attempts, failing) -> {
              throw new IllegalStateException("policy");
            },
            (attempts, failing) -> {
              throw new NoClassDefFoundError("policy");
            },
            (attempts, failing) -> null);

    broken.forEach(policy -> assertThat(rest(policy)).isBetween(Duration.ZERO, Samples.REST));
  }

  @Test
  void errors_are_cut_and_free_of_what_no_column_can_hold() {
    String rocket = "\ud83d\ude80";

    assertThat(error("a\0b")).isEqualTo("java.lang.RuntimeException: a b");
    assertThat(error("half \ud83d")).isEqualTo("java.lang.RuntimeException: half ?");
    assertThat(error(rocket)).endsWith(rocket);
    assertThat(error("x".repeat(1_000_000))).hasSize(1000);
    assertThat(error("y" + rocket.repeat(1000))).hasSizeLessThanOrEqualTo(1000).matches("\\X*");
    assertThat(error("y" + rocket.repeat(1000)).chars().filter(c -> c == '?').count())
        .isLessThanOrEqualTo(1);
    assertThat(error(null)).isEqualTo("java.lang.RuntimeException");
  }

  @Test
  void a_cause_whose_message_throws_is_a_failure_like_any_other() {
    RuntimeException hostile =
        new RuntimeException() {
          @Override
          public String getMessage() {
            throw new IllegalStateException("message");
          }
        };

    assertThat(decide(fresh, Ack.failed(hostile)).fate())
        .isInstanceOfSatisfying(
            Fate.Park.class,
            park -> assertThat(park.error()).startsWith(hostile.getClass().getName()));
  }

  @Test
  void the_history_stays_bounded_and_keeps_the_latest_attempts() {
    String history = "";
    for (int attempt = 1; attempt <= 100; attempt++) {
      StoredEnvelope storedEnvelope =
          new StoredEnvelope(
              1,
              Samples.LANE,
              Samples.envelope("a"),
              new RetryState(attempt - 1, Duration.ZERO, history),
              null);
      history = history(storedEnvelope, "line one\r\nline two " + "x".repeat(attempt * 20));
    }

    assertThat(history).hasSizeLessThanOrEqualTo(4000);
    assertThat(history.lines().reduce("", (before, line) -> line))
        .startsWith("2030-01-01T00:00:00Z attempt 100: ")
        .contains("line one line two");
  }

  @Test
  void the_history_has_a_line_for_each_attempt_as_long_as_there_is_room() {
    String line = "2030-01-01T00:00:00Z attempt 2: java.lang.RuntimeException: no";
    String fits = "x".repeat(4000 - line.length() - 1);

    assertThat(history(failedBefore(fits), "no")).isEqualTo(fits + "\n" + line);
    assertThat(history(failedBefore(fits + "x"), "no")).isEqualTo(line);
  }

  private static StoredEnvelope failedBefore(String history) {
    return new StoredEnvelope(
        1, Samples.LANE, Samples.envelope("a"), new RetryState(1, Duration.ZERO, history), null);
  }

  @Test
  void a_history_of_another_hand_without_lines_is_no_endless_loop() {
    StoredEnvelope storedEnvelope = failedBefore("x".repeat(10_000));

    assertThat(history(storedEnvelope, "no")).startsWith("2030-01-01T00:00:00Z attempt 2: ");
  }

  private static SettleDecision.Decision decide(StoredEnvelope storedEnvelope, Ack ack) {
    return decision().decide(storedEnvelope, ack, atSecond(0));
  }

  private Duration rest(Ack ack) {
    return ((Fate.Park) decide(fresh, ack).fate()).rest();
  }

  private Duration rest(RetryPolicy policy) {
    RelaySettings settings = Samples.settings(policy, RelayListener.SILENT);
    Ack failed = Ack.failed(new IllegalStateException("no"));
    SettleDecision decision = new SettleDecision(settings.retries(), topic -> false);
    return ((Fate.Park) decision.decide(fresh, failed, atSecond(0)).fate()).rest();
  }

  private String error(String message) {
    return ((Fate.Park) decide(fresh, Ack.failed(new RuntimeException(message))).fate()).error();
  }

  private static String history(StoredEnvelope storedEnvelope, String message) {
    SettleDecision generous =
        new SettleDecision(
            Samples.settings((attempts, failing) -> Optional.of(Samples.REST), RelayListener.SILENT)
                .retries(),
            topic -> false);
    Ack failed = Ack.failed(new RuntimeException(message));
    return ((Fate.Park) generous.decide(storedEnvelope, failed, atSecond(0)).fate()).history();
  }
}
