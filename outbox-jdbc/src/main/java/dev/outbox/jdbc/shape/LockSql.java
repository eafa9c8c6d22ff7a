package dev.outbox.jdbc.shape;

/** How rows that no session has locked are locked and read: a closed set of two. */
public sealed interface LockSql {
  String sql();

  /** The statement binds {@code :limit} and locks no more rows than it returns. */
  record Limited(String sql) implements LockSql {}

  /**
   * Rows are locked as they are fetched: the cursor is opened without a limit, exactly that many
   * rows are fetched, and it is closed.
   */
  record OpenCursor(String sql) implements LockSql {}
}
