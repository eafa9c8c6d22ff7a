package dev.outbox.testkit;

import java.util.stream.LongStream;

/** The ids that the tables of an in-memory store show. Asked under their monitor. */
final class IdsGiven {
  private IdsGiven() {}

  /** The highest of them, floors included. */
  static long highest(Tables tables) {
    return LongStream.of(
            tables.ready.isEmpty() ? 0 : tables.ready.lastKey(),
            tables.delayed.isEmpty() ? 0 : tables.delayed.lastKey(),
            tables.archived.isEmpty() ? 0 : tables.archived.lastKey(),
            tables.parked.highestId(),
            tables.dead.highestId(),
            tables.lanes.stream().mapToLong(row -> row.floor).max().orElse(0))
        .max()
        .orElse(0);
  }
}
