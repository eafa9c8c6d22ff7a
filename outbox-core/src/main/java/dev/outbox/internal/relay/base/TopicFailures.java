package dev.outbox.internal.relay.base;

import dev.outbox.Claiming;
import dev.outbox.message.MessageId;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What has failed of one topic since it worked last, and what of that was not reported yet.
 *
 * <p>Used under the lock of {@link FailureLog}.
 */
final class TopicFailures {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int MOST_MESSAGES = 1000;

  final KeptLines failures = new KeptLines();
  final KeptLines deadLetters = new KeptLines();
  private final Map<MessageId, Expected> failing = new HashMap<>();
  private final int[] deadByMinute = new int[60];
  private long minute;
  private int count;

  /** Failing messages beyond those that are remembered, and when the last of them is expected. */
  private int others;

  private @Nullable Expected lastOther;
  private boolean lostSight;
  private int deadInARow;
  private Ticker.@Nullable Moment last;
  private Ticker.@Nullable Moment lastDead;

  /** A message failed. True when it is the first failure of this kind since the topic worked. */
  boolean failed(Fate.Park park, String kind, Ticker.Moment now) {
    last = now;
    failures.begin(now);
    count++;
    remember(park, new Expected(now, Objects.requireNonNullElse(park.rest(), Duration.ZERO)));
    return failures.isFirst(kind);
  }

  /** One that failed before and is not remembered was counted, unless it failed elsewhere. */
  private void remember(Fate.Park park, Expected expected) {
    MessageId id = park.storedEnvelope().envelope().id();
    boolean again = hasFailedBefore(park.storedEnvelope());
    if (failing.containsKey(id)) {
      failing.put(id, expected);
    } else if (failing.size() < MOST_MESSAGES) {
      failing.put(id, expected);
      others = again ? Math.max(0, others - 1) : others;
    } else {
      others = again ? Math.max(1, others) : others + 1;
      lastOther = lastOther == null ? expected : lastOther.orLater(expected);
    }
  }

  private static boolean hasFailedBefore(StoredEnvelope message) {
    return message.retryState() != null && message.retryState().attempts() > 0;
  }

  /** How many messages have failed and wait for another attempt. */
  int failing() {
    return failing.size() + others;
  }

  /** A message that may have failed was delivered or is a dead letter. */
  void ended(StoredEnvelope message) {
    boolean remembered = failing.remove(message.envelope().id()) != null;
    if (!remembered && hasFailedBefore(message)) {
      others = Math.max(0, others - 1);
    }
  }

  /**
   * Forgets messages that another relay has tried again: by lanes those that were expected more
   * than an hour ago, as it has their lanes by now; by rows those that must have been tried, as any
   * relay may try any message.
   */
  void forgetOverdue(Claiming claiming, Ticker.Moment now) {
    Predicate<Expected> isElsewhere =
        claiming == Claiming.ROWS ? each -> each.isTriedBy(now) : each -> each.isOverdue(now);
    lostSight |= failing.values().removeIf(isElsewhere);
    if (others > 0 && lastOther != null && isElsewhere.test(lastOther)) {
      others = 0;
      lostSight = true;
    }
  }

  /** One more dead letter: returns how many there were without a minute between them. */
  int deadLettered(Ticker.Moment now) {
    boolean apart = !now.isWithin(MINUTE, lastDead);
    deadInARow = apart ? 1 : deadInARow + 1;
    lastDead = now;
    failures.begin(now);
    turnTo(now);
    deadByMinute[(int) (minute % 60)]++;
    return deadInARow;
  }

  int deadWithinAnHour(Ticker.Moment now) {
    turnTo(now);
    int dead = 0;
    for (int each : deadByMinute) {
      dead += each;
    }
    return dead;
  }

  /** Forgets the minutes that are more than an hour ago. */
  private void turnTo(Ticker.Moment now) {
    long present = now.wall().getEpochSecond() / 60;
    for (long gone = Math.max(minute + 1, present - 59); gone <= present; gone++) {
      deadByMinute[(int) (gone % 60)] = 0;
    }
    minute = Math.max(minute, present);
  }

  /** True about once a minute. */
  boolean isTimeToTell(Ticker.Moment now) {
    return failures.isTimeToTell(now);
  }

  /**
   * True when messages failed, and none of them is to be tried again here. The count of those that
   * are not remembered may be wrong, because messages that failed elsewhere end here too. So it is
   * not over before the last of them must have been tried again, and has not failed.
   */
  boolean isOver(Ticker.Moment now) {
    return count > 0 && failing() == 0 && (lastOther == null || lastOther.isTriedBy(now));
  }

  /** True when the end of each message that failed was seen. */
  boolean hasHealed(Ticker.Moment now) {
    return isOver(now) && !lostSight;
  }

  /** It works again: returns how often it had failed. */
  int over() {
    int failed = count;
    count = 0;
    lostSight = false;
    lastOther = null;
    failures.over();
    return failed;
  }

  /** True when nothing fails and nothing has happened for an hour. */
  boolean isForgotten(Ticker.Moment now) {
    return count == 0 && failing() == 0 && isLongAgo(last, now) && isLongAgo(lastDead, now);
  }

  private static boolean isLongAgo(Ticker.@Nullable Moment moment, Ticker.Moment now) {
    return !now.isWithin(HOUR, moment);
  }

  /** When a message that failed is to be tried again. */
  private record Expected(Ticker.Moment failed, Duration rest) {
    boolean isOverdue(Ticker.Moment now) {
      return isPastBy(HOUR, now);
    }

    /** True when it must have been tried again by now. */
    boolean isTriedBy(Ticker.Moment now) {
      return isPastBy(MINUTE, now);
    }

    private boolean isPastBy(Duration slack, Ticker.Moment now) {
      return now.since(failed).minus(rest).compareTo(slack) >= 0;
    }

    Expected orLater(Expected later) {
      return rest.compareTo(later.failed.since(failed).plus(later.rest)) > 0 ? this : later;
    }
  }
}
