package dev.outbox.jdbc.shape;

/**
 * How a statement is told which rows it moves, and with what values: a closed set of five.
 *
 * <p>A row that was read in an earlier transaction is named by its message id as well. After a
 * failover or a restore its id may be another message's.
 */
public sealed interface ByIds {
  /**
   * A batch entry per lane: {@code :lane}, the array {@code :ids} in ascending order, and {@code
   * :messages}, the 16 bytes of the message id of each, one behind the other.
   */
  record LaneArray(String sql) implements ByIds {}

  /** One statement: {@code :ids} is a JSON array of ids. */
  record JsonIds(String sql) implements ByIds {}

  /**
   * One statement: {@code :rows} is a JSON array of objects with lane, id, message_id (32
   * hexadecimal digits) and, where the row says so, parked_as, reason, attempts, rest
   * (microseconds), error, history and holds.
   */
  record JsonRows(String sql) implements ByIds {}

  /**
   * One statement: {@code :rows} is a JSON array of arrays, each a lane, an id and a message id (32
   * hexadecimal digits). It is half as long as {@link JsonRows}, which takes MySQL and MariaDB half
   * as long to read.
   */
  record JsonPlaces(String sql) implements ByIds {}

  /**
   * A batch entry per row: {@code :lane}, {@code :id}, {@code :message_id} and the same values by
   * the same names.
   */
  record EachRow(String sql) implements ByIds {}
}
