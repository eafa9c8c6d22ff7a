package dev.outbox.jdbc.internal.session;

import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.dialect.Match;
import dev.outbox.jdbc.dialect.Product;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * What connections of callers must be, and how their refusals are told.
 *
 * <p>Safe for use by many threads.
 */
public final class CallerCheck {
  private final Sql sql;
  private final Product product;
  private volatile Product accepted;

  /** Of callers whose transactions are on {@code product}. */
  public CallerCheck(Sql sql, Product product) {
    this.sql = sql;
    this.product = product;
    this.accepted = product;
  }

  /**
   * Looks at the connection, without a round trip.
   *
   * @throws IllegalArgumentException when it is closed, read-only, or of another product
   */
  public void check(Connection transaction) throws SQLException {
    if (transaction.isClosed()) {
      throw new IllegalArgumentException(
          "the connection is closed; this needs an open transaction");
    }
    Product given = Product.of(transaction.getMetaData());
    if (!given.equals(accepted)) {
      checkProduct(given);
    }
    if (sql.dialect().isReadOnly(transaction)) {
      throw readOnly();
    }
  }

  private void checkProduct(Product given) {
    if (sql.dialect().match(given) != Match.SUPPORTED) {
      throw new IllegalArgumentException(
          "the connection is of %s, the tables are on %s".formatted(given, product));
    }
    accepted = given;
  }

  private static IllegalArgumentException readOnly() {
    return new IllegalArgumentException(
        "the connection is read-only; this writes, so call setReadOnly(false) before the transaction");
  }

  /** What a failed statement means to the caller. */
  public RuntimeException refusal(String what, SQLException e) {
    Faults faults = Faults.behind(e, sql.dialect());
    if (faults == null) {
      return StoreException.lasting(what + ": " + e.getMessage(), e);
    }
    if (faults.fault() == Fault.READ_ONLY) {
      IllegalArgumentException refused = readOnly();
      refused.initCause(e);
      return refused;
    }
    return faults.toException(what);
  }
}
