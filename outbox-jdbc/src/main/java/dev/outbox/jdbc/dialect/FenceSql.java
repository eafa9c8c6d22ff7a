package dev.outbox.jdbc.dialect;

/**
 * How a statement fences lanes, in ascending order: a closed set of three. Of each lane it is told
 * lane, epoch, floor, keep and free.
 */
public sealed interface FenceSql {
  /**
   * One statement for all: the arrays {@code :lanes}, {@code :epochs}, {@code :floors}, {@code
   * :keeps}, {@code :frees}.
   */
  record Arrays(String sql) implements FenceSql {}

  /** One statement for all: {@code :lanes} is a JSON array of objects. */
  record JsonLanes(String sql) implements FenceSql {}

  /** A batch entry per lane, by the same names. */
  record EachLane(String sql) implements FenceSql {}
}
