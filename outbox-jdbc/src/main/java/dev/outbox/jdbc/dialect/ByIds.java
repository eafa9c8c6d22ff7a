package dev.outbox.jdbc.dialect;

/** How a statement is told which rows it moves, and with what values: a closed set of four. */
public sealed interface ByIds {
  /** A batch entry per lane: {@code :lane} and the array {@code :ids}. */
  record LaneArray(String sql) implements ByIds {}

  /** One statement: {@code :ids} is a JSON array of ids. */
  record JsonIds(String sql) implements ByIds {}

  /**
   * One statement: {@code :rows} is a JSON array of objects with lane, id and, where the row says
   * so, reason, attempts, rest (microseconds), error, history and holds.
   */
  record JsonRows(String sql) implements ByIds {}

  /** A batch entry per row: {@code :lane}, {@code :id} and the same values by the same names. */
  record EachRow(String sql) implements ByIds {}
}
