package dev.outbox.console.look;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.OutboxStore;
import java.time.Duration;

/**
 * Looks at a store, at a cost that does not grow with its tables: six statements, and no count goes
 * further than the bound.
 *
 * <p>Safe for use by many threads, one after the other. It takes one connection at a time, and
 * keeps none between looks.
 */
public final class Looker implements AutoCloseable {
  /** How far counts go, unless something else is asked for. */
  public static final long BOUND = 10_000;

  private static final Duration ANY = Duration.ofSeconds(15);

  private final OutboxStore store;
  private final long bound;
  private boolean closed;

  /**
   * @throws IllegalArgumentException when the bound is below 1
   */
  public Looker(OutboxStore store, long bound) {
    if (bound < 1) {
      throw new IllegalArgumentException("bound is " + bound + ", the minimum is 1");
    }
    this.store = store;
    this.bound = bound;
  }

  /**
   * Looks once.
   *
   * @throws IllegalStateException when it is closed
   */
  public synchronized Look look() {
    if (closed) {
      throw new IllegalStateException("it is closed and looks no more");
    }
    long next = nextId();
    return new Look(
        System.nanoTime(), store.snapshot(bound), bound, next == LaneStore.UNTOLD ? null : next);
  }

  private long nextId() {
    try (LaneStore lanes = store.lanes("outbox-console", ANY)) {
      return lanes.nextId();
    }
  }

  /** Waits for a look that is under way. */
  @Override
  public synchronized void close() {
    closed = true;
  }
}
