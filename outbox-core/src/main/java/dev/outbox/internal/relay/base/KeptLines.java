package dev.outbox.internal.relay.base;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lines for the operator: the first of each kind is told at once, the others are kept, and told as
 * one with their count, about once a minute.
 *
 * <p>Used by one thread at a time.
 */
public final class KeptLines {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int MOST_KINDS = 20;

  private final Set<String> kinds = new HashSet<>();
  private Ticker.@Nullable Moment told;
  private int count;
  private String last = "";

  /** Something happened: the first minute begins, unless it has. */
  public void begin(Ticker.Moment now) {
    told = told == null ? now : told;
  }

  /** True when a line of this kind is to be told at once. */
  public boolean isFirst(String kind) {
    return kinds.size() < MOST_KINDS && kinds.add(kind);
  }

  /** Keeps a line that is not told at once. */
  public void keep(String line) {
    count++;
    last = line;
  }

  /** True about once a minute. */
  public boolean isTimeToTell(Ticker.Moment now) {
    if (told == null || now.since(told).compareTo(MINUTE) < 0) {
      return false;
    }
    told = now;
    return true;
  }

  /** The last line that was kept. */
  public String last() {
    return last;
  }

  /** How many were kept since the last time. */
  public int take() {
    int taken = count;
    count = 0;
    return taken;
  }

  /** It is over: each kind is new again. */
  public void over() {
    kinds.clear();
  }
}
