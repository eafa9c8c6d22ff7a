package dev.outbox.jdbc.shape;

/**
 * How a statement fences lanes, in ascending order: a closed set of four. Of each lane it is told
 * lane, epoch, floor, keep, free and due.
 */
public sealed interface FenceSql {
  /**
   * One query of all, by the arrays {@code :lanes}, {@code :epochs}, {@code :floors}, {@code
   * :keeps}, {@code :frees} and {@code :dues}, that returns each {@code lane} that is owned. And
   * one that fences a lane, told by {@code :lane}, {@code :epoch} and so on, and deletes its ready
   * messages as {@link ByIds.LaneArray} names them, if it is owned.
   */
  record Query(String sql, String deleting) implements FenceSql {}

  /** One statement for all, by the same arrays. */
  record Arrays(String sql) implements FenceSql {}

  /** One statement for all: {@code :lanes} is a JSON array of objects. */
  record JsonLanes(String sql) implements FenceSql {}

  /** A batch entry per lane, by the same names. */
  record EachLane(String sql) implements FenceSql {}
}
