package dev.outbox.internal.operate;

import java.util.function.IntUnaryOperator;

/** Deletes what a table keeps no longer, batch by batch. */
public final class BatchedPurge {
  static final int BATCH = 1000;

  /**
   * Of what others have locked a batch skips the rows, so a short one is not the last. But keys
   * that were written all day long expire all day long: who went on until nothing is left would
   * never end. Of ten that purge one table at a time, one has a batch of this size and goes on.
   */
  private static final int LEAST = BATCH / 10;

  private BatchedPurge() {}

  /** Calls {@code purge} with how many it may delete, while it is worth it; returns how many. */
  public static long all(IntUnaryOperator purge) {
    long purged = 0;
    int batch;
    do {
      batch = purge.applyAsInt(BATCH);
      purged += batch;
    } while (batch >= LEAST);
    return purged;
  }
}
