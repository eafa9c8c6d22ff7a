package dev.outbox.jdbc.internal.session;

import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Fault;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong in the database, and how it is told.
 *
 * <p>Immutable.
 */
public record Faults(Fault fault, SQLException refusal, String dialect) {

  /** The fault behind {@code failure}, or null when no database error stands behind it. */
  public static @Nullable Faults behind(Throwable failure, Dialect dialect) {
    Faults found = null;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException refusal) {
        found = sharper(found, inChain(refusal, dialect));
      }
    }
    return found;
  }

  // a batch wraps what the server said, sometimes with a state of its own
  private static Faults inChain(SQLException first, Dialect dialect) {
    Faults found = null;
    for (SQLException link = first; link != null; link = link.getNextException()) {
      found = sharper(found, new Faults(dialect.faults().of(link), link, dialect.name()));
    }
    return found == null ? new Faults(Fault.REFUSED, first, dialect.name()) : found;
  }

  private static Faults sharper(@Nullable Faults one, Faults other) {
    return one == null || (one.fault == Fault.REFUSED && other.fault != Fault.REFUSED)
        ? other
        : one;
  }

  /** For work that another session was quicker with, and that may be done again at once. */
  public static RefusedException lostRace(String why, @Nullable Throwable cause) {
    return new RefusedException(new SQLException(why, "40001", cause));
  }

  /** True when the connection must not be used any more. */
  boolean breaksConnection() {
    return fault == Fault.CONNECTION || fault == Fault.READ_ONLY;
  }

  /** The same, after which the connection was lost as well. */
  Faults withoutConnection() {
    boolean wasAlive = fault == Fault.SLOW || fault == Fault.RETRY;
    return wasAlive ? new Faults(Fault.CONNECTION, refusal, dialect) : this;
  }

  /** True when the same may go well later. */
  public boolean mayPass() {
    return switch (fault) {
      case RETRY, CONNECTION, PASSING, SLOW, READ_ONLY -> true;
      case MISSING, EXISTS, DENIED, DUPLICATE, REFUSED -> false;
    };
  }

  public StoreException toException(String what) {
    String text =
        "%s: %s (SQLState %s, code %d)%s"
            .formatted(
                what,
                refusal.getMessage(),
                refusal.getSQLState(),
                refusal.getErrorCode(),
                remedy());
    return switch (fault) {
      case RETRY -> StoreException.contended(text, refusal);
      case CONNECTION, PASSING, READ_ONLY -> StoreException.passing(text, refusal);
      case SLOW -> StoreException.slow(text, refusal);
      case MISSING, EXISTS, DENIED, DUPLICATE, REFUSED -> StoreException.lasting(text, refusal);
    };
  }

  private String remedy() {
    return switch (fault) {
      case MISSING ->
          ". Create the tables with Schema.of(dataSource).create(), or apply dev/outbox/jdbc/ddl/"
              + dialect
              + "/outbox.sql";
      case DENIED ->
          ". Grant the database user SELECT, INSERT, UPDATE and DELETE on the outbox tables";
      case READ_ONLY -> ". The server or session only reads: connect to the primary";
      case DUPLICATE ->
          ". If ids are given again, as after a restore or a dump, run Schema.of(dataSource).build().raiseIds()";
      case RETRY, CONNECTION, PASSING, SLOW, EXISTS, REFUSED -> "";
    };
  }
}
