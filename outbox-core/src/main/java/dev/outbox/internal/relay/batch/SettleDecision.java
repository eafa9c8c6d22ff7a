package dev.outbox.internal.relay.batch;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.internal.relay.base.ErrorText;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.publish.Ack;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the answer for one message into its fate.
 *
 * <p>Stateless but for its settings; used by any thread.
 */
/*
 * The table that this class is:
 *
 *   answer         fate                                    what becomes of the later ones of its key
 *   Delivered      Deliver                                 they go on
 *   Failed         Park, attempt counted, rest by policy   FOLLOW: ready ones are parked behind it, parked ones stay
 *   Failed, given up by the policy      Bury(EXHAUSTED)    LEAVE: untouched, read again
 *   Failed, its topic's broker down     none               LEAVE
 *   Failed, as a probe of that broker   Park, not counted  FOLLOW: another message is the next probe
 *   Rejected       Bury(REJECTED)                          LEAVE
 *   Unavailable    none: it stays where it is              LEAVE
 *   Unavailable, of this message alone, again and again    as Failed, whatever of its broker
 *   none in time   as the publisher says, else as Failed
 *
 *   not published: topic held, ready    Park(TOPIC)        HOLD: ready ones are parked as it is, parked ones stay
 *   not published: topic held, parked   none               LEAVE
 *
 * Why the later ones are never simply published: within the batch they were read together with the one that did not leave.
 * If that one is parked, they would overtake it. If it is a dead letter, its key is free again, but a pipelined publisher
 * has answered the rest of its flight unsent; leaving the rest of the key for the next read restores the order by id at
 * the price of one more read. If the broker is down, nothing of the key may pass it.
 *
 * All fates are absolute (attempts = 3, not + 1), so that a settlement whose reply was lost can be written again.
 */
public final class SettleDecision {
  private static final Logger log = LoggerFactory.getLogger(SettleDecision.class);
  private static final Duration LONGEST_PROBE_REST = Duration.ofMinutes(5);
  private static final int PROBES_OF_OTHERS = 4;
  private static final Duration LONGEST_REST = Duration.ofDays(3650);
  private static final int LONGEST_HISTORY = 4000;

  private final RelaySettings.Retries retries;
  private final Predicate<String> strict;

  /** Decides by the policies in {@code retries}; a dead letter of a strict topic holds its key. */
  public SettleDecision(RelaySettings.Retries retries, Predicate<String> strict) {
    this.retries = retries;
    this.strict = strict;
  }

  /** What the later messages of a key do in the same batch. */
  public enum Later {
    GO_ON,
    FOLLOW,
    HOLD,
    LEAVE
  }

  /** A fate, or none for a message that stays untouched, and what it means for its key. */
  public record Decision(@Nullable Fate fate, Later later) {}

  /** Decides by the publisher's answer. */
  public Decision decide(StoredEnvelope storedEnvelope, Ack answer, Ticker.Moment now) {
    if (answer instanceof Ack.Delivered) {
      return new Decision(new Fate.Deliver(storedEnvelope), Later.GO_ON);
    }
    if (answer instanceof Ack.Rejected rejected) {
      return new Decision(
          deadLetter(storedEnvelope, Reason.REJECTED, rejected.reason(), 1, now), Later.LEAVE);
    }
    return answer instanceof Ack.Failed failed
        ? failed(storedEnvelope, failed, now)
        : new Decision(null, Later.LEAVE);
  }

  /**
   * A message that failed while its topic's broker was down: no attempt is counted, and it makes
   * room for other probes. If it were due again before the next of them, one that fails for ever
   * would be the only one that is ever tried.
   */
  Decision probed(StoredEnvelope storedEnvelope, Ack.Failed failed, Duration untilNext) {
    RetryState before = parking(storedEnvelope);
    Duration rest =
        atLeast(
            rest(storedEnvelope.envelope().topic(), Math.max(1, before.attempts()), Duration.ZERO)
                .orElse(LONGEST_PROBE_REST),
            untilNext.multipliedBy(PROBES_OF_OTHERS));
    Fate fate =
        new Fate.Park(
            storedEnvelope,
            HoldReason.FAILED,
            before.attempts(),
            storable(atLeast(rest, failed.retryAfter())),
            ErrorText.of(failed.cause()),
            before.history());
    return new Decision(fate, Later.FOLLOW);
  }

  /** A message that was in flight alone whenever the relay died. */
  public Fate deadly(StoredEnvelope storedEnvelope, int deaths, Ticker.Moment now) {
    String error = "%d relays died with this message alone in flight".formatted(deaths);
    return deadLetter(storedEnvelope, Reason.CRASH, error, deaths, now);
  }

  /** A message that must not be published at all. */
  public Fate unfit(
      StoredEnvelope storedEnvelope, StoredEnvelope.Defect defect, Ticker.Moment now) {
    return deadLetter(storedEnvelope, defect.reason(), defect.detail(), 0, now);
  }

  /** A ready message whose key is held. */
  public Fate follow(StoredEnvelope storedEnvelope) {
    return new Fate.Park(storedEnvelope, HoldReason.FOLLOWER, 0, null, null, "");
  }

  /** A ready message whose topic is held. */
  Fate hold(StoredEnvelope storedEnvelope) {
    return new Fate.Park(storedEnvelope, HoldReason.TOPIC, 0, null, null, "");
  }

  private Decision failed(StoredEnvelope storedEnvelope, Ack.Failed failed, Ticker.Moment now) {
    RetryState before = parking(storedEnvelope);
    int attempts = before.attempts() + 1;
    String error = ErrorText.of(failed.cause());
    Optional<Duration> rest = rest(storedEnvelope.envelope().topic(), attempts, before.failing());
    if (rest.isEmpty()) {
      return new Decision(deadLetter(storedEnvelope, Reason.EXHAUSTED, error, 1, now), Later.LEAVE);
    }
    Duration due = storable(atLeast(rest.get(), failed.retryAfter()));
    String history = append(before.history(), attempts, error, now.wall());
    return new Decision(
        new Fate.Park(storedEnvelope, HoldReason.FAILED, attempts, due, error, history),
        Later.FOLLOW);
  }

  /** A policy of the user that throws must not stop the relay: the standard one decides instead. */
  private Optional<Duration> rest(String topic, int attempts, Duration failing) {
    try {
      return Objects.requireNonNull(retries.of(topic).delay(attempts, failing), "delay");
    } catch (Throwable thrown) {
      log.error("topic={} retry policy threw, the standard policy is used", topic, thrown);
      return RetryPolicy.standard().delay(attempts, failing);
    }
  }

  private Fate deadLetter(
      StoredEnvelope storedEnvelope, Reason reason, String error, int counted, Ticker.Moment now) {
    RetryState before = parking(storedEnvelope);
    int attempts = before.attempts() + counted;
    String history =
        counted == 0 ? before.history() : append(before.history(), attempts, error, now.wall());
    boolean holdsKey =
        storedEnvelope.holdable() != null && strict.test(storedEnvelope.envelope().topic());
    return new Fate.Bury(storedEnvelope, reason, ErrorText.cut(error), attempts, history, holdsKey);
  }

  private static RetryState parking(StoredEnvelope storedEnvelope) {
    return storedEnvelope.retryState() == null ? RetryState.NONE : storedEnvelope.retryState();
  }

  private static Duration atLeast(Duration rest, @Nullable Duration least) {
    return least != null && least.compareTo(rest) > 0 ? least : rest;
  }

  /** A due time that no column holds would make the settlement fail for ever. */
  private static Duration storable(Duration rest) {
    if (rest.isNegative()) {
      return Duration.ZERO;
    }
    return rest.compareTo(LONGEST_REST) < 0 ? rest : LONGEST_REST;
  }

  /** One line for each attempt; the oldest lines go first when the text grows too long. */
  private static String append(String history, int attempt, String error, Instant at) {
    String line =
        "%s attempt %d: %s".formatted(at, attempt, ErrorText.cut(error).replaceAll("\\R", " "));
    String whole = history.isEmpty() ? line : history + "\n" + line;
    while (whole.length() > LONGEST_HISTORY) {
      whole = whole.substring(whole.indexOf('\n') + 1);
    }
    return whole;
  }
}
