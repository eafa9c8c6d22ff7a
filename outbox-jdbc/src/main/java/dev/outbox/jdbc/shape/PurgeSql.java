package dev.outbox.jdbc.shape;

/**
 * How at most {@code :limit} rows are deleted whose time is over and that no session has locked,
 * without waiting for one: who writes such a key again may hold others of the batch. A closed set
 * of three.
 */
public sealed interface PurgeSql {
  /** One statement. */
  record Direct(String sql) implements PurgeSql {}

  /**
   * {@code lock} locks rows and returns their keys; {@code delete} has a batch entry for each,
   * whose values bear the names of the columns.
   */
  record LockThenDelete(LockSql lock, String delete) implements PurgeSql {}

  /**
   * {@code find} reads keys without a lock, as texts, because a lock on the way to them would wait;
   * {@code lock} takes them as {@code :rows}, a JSON array of objects of the same names, and
   * returns those that it has locked; {@code delete} takes these in the same form.
   */
  record FindLockDelete(String find, String lock, String delete) implements PurgeSql {}
}
