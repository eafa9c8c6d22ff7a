package dev.outbox.jdbc.shape;

/** What is locked before rows are written once: a closed set of two. */
public sealed interface SlotSql {
  /** Nothing: who waits for an INSERT that is rolled back goes on one after another. */
  record None() implements SlotSql {}

  /**
   * Rows of a table that are always there, {@code :slots} a JSON array of their numbers in
   * ascending order, from 0 to {@code count} - 1; returns one row for each. All who write a key
   * lock the same one, so that at most one of them waits at the INSERT itself.
   */
  record Locked(String sql, int count) implements SlotSql {}
}
