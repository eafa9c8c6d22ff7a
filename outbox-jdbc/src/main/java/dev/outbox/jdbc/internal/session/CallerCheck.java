package dev.outbox.jdbc.internal.session;

import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Product;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/**
 * What connections of callers must be, and how their refusals are told.
 *
 * <p>Safe for use by many threads.
 */
public final class CallerCheck {
  private final Sql sql;
  private final Server server;
  private volatile Product accepted;

  /** Of callers whose transactions are on {@code server}. */
  public CallerCheck(Sql sql, Server server) {
    this.sql = sql;
    this.server = server;
    this.accepted = server.product();
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
    DatabaseMetaData metadata = transaction.getMetaData();
    if (!accepted.isOf(metadata)) {
      checkProduct(Product.of(metadata));
    }
    if (sql.dialect().isReadOnly(transaction)) {
      throw readOnly();
    }
  }

  private void checkProduct(Product given) {
    if (sql.dialect().match(given) != Dialect.Match.SUPPORTED) {
      throw new IllegalArgumentException(
          "the connection is of %s, the tables are on %s; use one database for both"
              .formatted(given, server.product()));
    }
    accepted = given;
  }

  private static IllegalArgumentException readOnly() {
    return new IllegalArgumentException(
        "the connection is read-only; this writes, so call setReadOnly(false) before the transaction, in Spring @Transactional(readOnly = false), and connect to the primary");
  }

  /**
   * What a failed statement means to the caller.
   *
   * @param grants what the statement needs, as a GRANT names it
   */
  public RuntimeException refusal(
      Connection transaction, String what, String grants, SQLException e) {
    Faults faults = Faults.behind(e, sql.dialect());
    if (faults == null) {
      return StoreException.lasting(what + ": " + e.getMessage(), e);
    }
    return switch (faults.fault()) {
      case READ_ONLY -> {
        IllegalArgumentException refused = readOnly();
        refused.initCause(e);
        yield refused;
      }
      case DENIED ->
          faults.toException(
              what, "the database user lacks a right; this needs " + sql.render(grants));
      case MISSING -> missing(transaction, what, faults);
      case RETRY, CONNECTION, PASSING, SLOW, ABORTED, CLOSED, EXISTS, DUPLICATE, REFUSED ->
          faults.toException(what);
    };
  }

  private StoreException missing(Connection transaction, String what, Faults faults) {
    String address = address(transaction);
    return address.equals(server.address())
        ? faults.toException(what)
        : faults.toException(
            what,
            "the connection is to %s, the tables of the store are in %s; use one database for both"
                .formatted(address, server.address()));
  }

  private String address(Connection transaction) {
    try {
      return Server.address(transaction.getMetaData());
    } catch (SQLException e) {
      // the refusal that is told matters more
      return server.address();
    }
  }
}
