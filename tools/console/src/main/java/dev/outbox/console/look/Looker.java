package dev.outbox.console.look;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.OutboxStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a store, at a cost that does not grow with its tables: six statements, and no count goes
 * further than the bound.
 *
 * <p>Safe for use by many threads, one after the other. It keeps a connection until {@link #rest}.
 */
public final class Looker implements AutoCloseable {
  /** How far counts go, unless something else is asked for. */
  public static final long BOUND = 10_000;

  private static final Duration ANY = Duration.ofSeconds(15);

  private final OutboxStore store;
  private final long bound;
  private @Nullable LaneStore lanes;
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
    if (lanes == null) {
      lanes = store.lanes("outbox-console", ANY);
    }
    long next = lanes.nextId();
    return new Look(
        System.nanoTime(), store.snapshot(bound), bound, next == LaneStore.UNTOLD ? null : next);
  }

  /** Gives its connection back until the next look. */
  public synchronized void rest() {
    LaneStore resting = lanes;
    lanes = null; // also when the database refuses: the next look gets another
    if (resting != null) {
      resting.close();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    rest();
  }
}
