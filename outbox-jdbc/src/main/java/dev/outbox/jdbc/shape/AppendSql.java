package dev.outbox.jdbc.shape;

/** How many messages are written: a closed set of two. */
public sealed interface AppendSql {
  /** One INSERT with a tuple per message: {@code head}, then {@code tuple} repeated with commas. */
  record Tuples(String head, String tuple) implements AppendSql {}

  /** One INSERT per message, sent as a JDBC batch. */
  record Batch(String sql) implements AppendSql {}
}
