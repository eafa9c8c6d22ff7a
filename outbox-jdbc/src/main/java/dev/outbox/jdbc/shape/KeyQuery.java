package dev.outbox.jdbc.shape;

/**
 * How a statement asks for rows of many keys or of many messages, each named by values that the row
 * tells: a closed set of two.
 */
public sealed interface KeyQuery {
  /** All at once: {@code :keys} is a JSON array of objects with the values. */
  record Together(String sql) implements KeyQuery {}

  /** {@code arm} stands once for each, joined by UNION ALL, and binds the values by their names. */
  record UnionAll(String arm) implements KeyQuery {}
}
