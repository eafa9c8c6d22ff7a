package dev.outbox.testkit.internal.tables;

import java.util.stream.LongStream;

/** The ids that the tables of an in-memory store show. Asked under their monitor. */
public final class IdsGiven {
  private IdsGiven() {}

  /** The highest of them, floors included. */
  public static long highest(InMemoryTables inMemoryTables) {
    return LongStream.of(
            inMemoryTables.ready.isEmpty() ? 0 : inMemoryTables.ready.lastKey(),
            inMemoryTables.delayed.isEmpty() ? 0 : inMemoryTables.delayed.lastKey(),
            inMemoryTables.archive.highestId(),
            inMemoryTables.parked.highestId(),
            inMemoryTables.dead.highestId(),
            inMemoryTables.lanes.stream().mapToLong(row -> row.floor).max().orElse(0))
        .max()
        .orElse(0);
  }
}
