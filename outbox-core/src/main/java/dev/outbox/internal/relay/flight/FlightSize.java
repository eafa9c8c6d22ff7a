package dev.outbox.internal.relay.flight;

import java.time.Duration;

/**
 * How many messages fit into a flight: as many as the publisher moved, at its recent pace, in a
 * quarter of the deadline. A publisher that takes 100 ms for each thus gets flights of 75 instead
 * of 500 that could never be answered in time.
 *
 * <p>Used by one thread.
 */
public final class FlightSize {
  private static final int FIRST = 32;
  private static final int GROWTH = 4;
  private static final int PART_OF_DEADLINE = 4;

  private final long budgetNanos;
  private final int most;
  private int size;

  public FlightSize(Duration deadline, int most) {
    this.budgetNanos = deadline.toNanos() / PART_OF_DEADLINE;
    this.most = most;
    this.size = Math.min(FIRST, most);
  }

  public int get() {
    return size;
  }

  /** Learns from a flight of {@code messages} that was in flight for {@code time}. */
  public void learn(int messages, Duration time) {
    long each = Math.max(1, time.toNanos() / Math.max(1, messages));
    long fitting = Math.max(1, budgetNanos / each);
    size = (int) Math.min(Math.min(most, fitting), (long) size * GROWTH);
  }
}
