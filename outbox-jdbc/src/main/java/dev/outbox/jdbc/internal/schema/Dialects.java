package dev.outbox.jdbc.internal.schema;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.H2Dialect;
import dev.outbox.jdbc.dialect.MariaDbDialect;
import dev.outbox.jdbc.dialect.MySqlDialect;
import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.jdbc.dialect.PostgresDialect;
import dev.outbox.jdbc.dialect.Product;
import java.util.List;
import java.util.stream.Collectors;

/** Finds the dialect of a product. */
public final class Dialects {
  public static final List<Dialect> ALL =
      List.of(
          new PostgresDialect(),
          new MySqlDialect(),
          new MariaDbDialect(),
          new OracleDialect(),
          new H2Dialect());

  private Dialects() {}

  /**
   * The dialect for {@code product}.
   *
   * @throws IllegalArgumentException when there is none, or the version is too old
   */
  public static Dialect of(Product product) {
    for (Dialect dialect : ALL) {
      Dialect.Match match = dialect.match(product);
      if (match == Dialect.Match.SUPPORTED) {
        return dialect;
      }
      if (match == Dialect.Match.TOO_OLD) {
        throw new IllegalArgumentException(
            product + " is too old; supported is " + dialect.supported());
      }
    }
    throw new IllegalArgumentException(
        "%s is not supported; supported are %s"
            .formatted(
                product, ALL.stream().map(Dialect::supported).collect(Collectors.joining(", "))));
  }
}
