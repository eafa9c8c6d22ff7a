package dev.outbox.internal.relay.base;

import dev.outbox.message.MessageId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What has failed of one topic since it worked last, and what of that was not told yet.
 *
 * <p>Used under the lock of {@link FailureLog}.
 */
final class TopicFailures {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int MOST_KINDS = 20;
  private static final int MOST_MESSAGES = 1000;

  final Kept failures = new Kept();
  final Kept deadLetters = new Kept();
  private final Set<String> kinds = new HashSet<>();
  private final Set<MessageId> failing = new HashSet<>();
  private final int[] deadByMinute = new int[60];
  private long minute;
  private int count;
  private int diedInARow;
  private Ticker.@Nullable Moment last;
  private Ticker.@Nullable Moment told;
  private Ticker.@Nullable Moment lastDead;

  /** A message failed. True when it is the first failure of this kind since the topic worked. */
  boolean failed(MessageId id, String kind, Ticker.Moment now) {
    last = now;
    told = told == null ? now : told;
    count++;
    if (failing.size() < MOST_MESSAGES) {
      failing.add(id);
    }
    return kinds.size() < MOST_KINDS && kinds.add(kind);
  }

  /** How many messages have failed and wait for another attempt; no more than are remembered. */
  int failing() {
    return failing.size();
  }

  /** A message that may have failed was delivered or is a dead letter. */
  void ended(MessageId id) {
    failing.remove(id);
  }

  /** One more dead letter: returns how many there were without a minute between them. */
  int died(Ticker.Moment now) {
    boolean apart = lastDead == null || now.since(lastDead).compareTo(MINUTE) >= 0;
    diedInARow = apart ? 1 : diedInARow + 1;
    lastDead = now;
    told = told == null ? now : told;
    turnTo(now);
    deadByMinute[(int) (minute % 60)]++;
    return diedInARow;
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
    if (told == null || now.since(told).compareTo(MINUTE) < 0) {
      return false;
    }
    told = now;
    return true;
  }

  /** True when messages failed, and none of them is to be tried again. */
  boolean hasHealed() {
    return count > 0 && failing.isEmpty();
  }

  /** It works again: returns how often it had failed. */
  int over() {
    int failed = count;
    count = 0;
    kinds.clear();
    return failed;
  }

  /** True when nothing has happened for an hour: its messages may be another relay's by now. */
  boolean isForgotten(Ticker.Moment now) {
    return isLongAgo(last, now) && isLongAgo(lastDead, now);
  }

  private static boolean isLongAgo(Ticker.@Nullable Moment moment, Ticker.Moment now) {
    return moment == null || now.since(moment).compareTo(HOUR) >= 0;
  }

  /** Lines that were not told. */
  static final class Kept {
    private int count;
    private String last = "";

    void keep(String line) {
      count++;
      last = line;
    }

    String last() {
      return last;
    }

    /** How many there were since the last time. */
    int take() {
      int taken = count;
      count = 0;
      return taken;
    }
  }
}
