package dev.outbox.internal.relay.topic;

import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells a broker that is down from messages that fail, for one topic.
 *
 * <p>Used under the lock of its gates.
 */
/*
 *            down, or 20 failures of two keys or more with nothing delivered between
 *   CLOSED ------------------------------------------------------------------------> OPEN
 *      ^                                                                            |   ^
 *      | delivered                                             after a rest, doubling   | anything else
 *      +------------------------------------------------------ PROBING <------------+   |
 *                                                                 +---------------------+
 *
 * Two keys or more, because one key's failures are its own: its first message is tried again and holds those behind it.
 *
 * What was in flight when it opened lands later, in any order. Of that a delivery closes it too, but only one that was
 * answered after the last "down": most were delivered while the broker still lived. The probe alone would not do: a few
 * messages that always are "down" are probes first, and would keep all others of their topic waiting.
 */
final class Breaker {
  private static final int MOST_FAILURES = 20;
  private static final int FEWEST_KEYS = 2;
  private static final Duration FIRST_REST = Duration.ofMillis(250);
  private static final int MOST_DOUBLINGS = 7;

  /** For ever, so that it can still be multiplied, and told in milliseconds. */
  private static final Duration LONGEST_REST = Duration.ofDays(3650);

  private final Set<Object> failedKeys = new HashSet<>();
  private int failures;
  private int openings;
  private Ticker.@Nullable Moment opened;

  /** The latest time at which it was down for a message. */
  private Ticker.@Nullable Moment wentDown;

  private Duration rest = Duration.ZERO;
  private @Nullable MessageId probe;

  /**
   * The message was delivered at that time. Only the probe, or what was delivered after the last
   * outage, says that the broker is back: flights land late, and in any order.
   */
  void delivered(Envelope envelope, Ticker.Moment at) {
    if (opened != null && !isAfter(at, wentDown) && !envelope.id().equals(probe)) {
      return;
    }
    failures = 0;
    failedKeys.clear();
    openings = 0;
    opened = null;
    probe = null;
  }

  /** The message failed, which may be its own fault. */
  void failed(Envelope envelope, Ticker.Moment now) {
    failures++;
    if (failedKeys.size() < FEWEST_KEYS) {
      failedKeys.add(envelope.key() == null ? envelope.id() : envelope.key());
    }
    if (opened != null || (failures >= MOST_FAILURES && failedKeys.size() >= FEWEST_KEYS)) {
      open(envelope, null, now);
    }
  }

  /**
   * The broker was down for the message, and asks to be left alone for {@code asked}, if it said
   * so. An answer to what was in flight before the probe changes nothing for the probe.
   */
  void down(Envelope envelope, @Nullable Duration asked, Ticker.Moment now) {
    wentDown = isAfter(now, wentDown) ? now : wentDown;
    open(envelope, asked, now);
  }

  private void open(Envelope envelope, @Nullable Duration asked, Ticker.Moment now) {
    boolean probed = envelope.id().equals(probe);
    if (opened == null || probed) {
      Duration own = FIRST_REST.multipliedBy(1L << Math.min(openings++, MOST_DOUBLINGS));
      rest = longer(own, asked);
      opened = now;
    } else {
      rest = longer(rest, asked);
    }
    withdrawn(envelope);
  }

  private static boolean isAfter(Ticker.Moment at, Ticker.@Nullable Moment other) {
    return other == null || at.nanos() - other.nanos() > 0;
  }

  private static Duration longer(Duration own, @Nullable Duration asked) {
    return asked == null || asked.compareTo(own) <= 0
        ? own
        : Durations.shorter(asked, LONGEST_REST);
  }

  boolean isOpen() {
    return opened != null;
  }

  /** True when nothing speaks against the broker. */
  boolean isAsNew() {
    return opened == null && failures == 0;
  }

  /** True when a message may be published: all of them, or the next probe. */
  boolean lets(Ticker.Moment now) {
    return probe == null && untilProbe(now).isZero();
  }

  /** The time until the next probe may go out; zero when closed, or while one is in flight. */
  Duration untilProbe(Ticker.Moment now) {
    if (opened == null || probe != null) {
      return Duration.ZERO;
    }
    Duration left = rest.minus(now.since(opened));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** True while the probe is in flight. */
  boolean isProbing() {
    return probe != null;
  }

  /** A message is let through: while open it is the probe. */
  void letThrough(Envelope envelope) {
    probe = opened == null ? null : envelope.id();
  }

  /** What was let through was not published, or says nothing of the broker. */
  void withdrawn(Envelope envelope) {
    if (envelope.id().equals(probe)) {
      probe = null;
    }
  }
}
