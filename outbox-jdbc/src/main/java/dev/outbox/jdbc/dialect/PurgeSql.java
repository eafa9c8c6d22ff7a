package dev.outbox.jdbc.dialect;

/** How at most {@code :limit} rows are deleted whose time is over: a closed set of two. */
public sealed interface PurgeSql {
  /** One statement. */
  record Direct(String sql) implements PurgeSql {}

  /**
   * {@code select} reads their keys without a lock, as texts; {@code delete} takes them as {@code
   * :rows}, a JSON array of objects of the same names.
   */
  record SelectThenDelete(String select, String delete) implements PurgeSql {}
}
