package dev.outbox.internal.operate;

import java.util.function.IntUnaryOperator;

/** Deletes expired rows of a table, batch by batch. */
public final class BatchedPurge {
  static final int BATCH = 1000;

  /**
   * Rows that another purger has locked or deleted are missing from a batch, so a short batch does
   * not mean that nothing is left. But rows expire all day long, so a purge until nothing is left
   * would never end. When ten processes purge one table, one of them has a batch of this size and
   * goes on.
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
    } while (mayBeMore(batch));
    return purged;
  }

  /** True when another batch is worth it after one that deleted {@code batch}. */
  public static boolean mayBeMore(int batch) {
    return batch >= LEAST;
  }
}
