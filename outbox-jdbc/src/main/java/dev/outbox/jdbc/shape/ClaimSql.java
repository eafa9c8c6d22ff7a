package dev.outbox.jdbc.shape;

/** How messages are locked, read and deleted in one transaction: a closed set of two. */
public sealed interface ClaimSql {
  /**
   * One statement deletes up to {@code :limit} messages that no session has locked, and returns
   * them in any order.
   */
  record Returning(String sql) implements ClaimSql {}

  /** The messages are locked and read, then deleted by their ids. */
  record LockThenDelete(LockSql lock, ByIds delete) implements ClaimSql {}
}
