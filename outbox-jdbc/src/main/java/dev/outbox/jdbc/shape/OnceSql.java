package dev.outbox.jdbc.shape;

/**
 * How rows are written of which there is one for each key: a closed set of three. Where one is
 * there already, it changes no row, or is refused as {@link
 * dev.outbox.jdbc.dialect.Fault#DUPLICATE} and leaves the transaction as it was; where another
 * transaction has written one, it waits for that one's end.
 */
public sealed interface OnceSql {
  /** One INSERT with a tuple per row: {@code head}, {@code tuple} with commas, {@code tail}. */
  record Tuples(String head, String tuple, String tail) implements OnceSql {}

  /**
   * The same, where a row that is there already must not be met by an INSERT of several that is
   * then undone. {@code look} tells, without a lock, the {@code n} of those that are there: {@code
   * :keys} is a JSON array of objects with an {@code n} and the columns, in hexadecimal.
   */
  record Looking(String look, Tuples tuples) implements OnceSql {}

  /** One INSERT per row, sent as a JDBC batch. */
  record Batch(String sql) implements OnceSql {}
}
