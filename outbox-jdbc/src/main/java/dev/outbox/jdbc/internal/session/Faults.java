package dev.outbox.jdbc.internal.session;

import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Fault;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong in the database, and how it is told.
 *
 * <p>Immutable.
 */
public record Faults(Fault fault, SQLException refusal, String dialect) {
  private static final Pattern ARCHIVE = Pattern.compile("(?i)_archive\\b");

  /** The fault behind {@code failure}, or null when no database error is behind it. */
  public static @Nullable Faults behind(Throwable failure, Dialect dialect) {
    Faults found = null;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException refusal) {
        found = sharper(found, inChain(refusal, dialect));
      }
    }
    return found;
  }

  // a batch wraps what the server said, sometimes with its own state
  private static Faults inChain(SQLException first, Dialect dialect) {
    Faults found = null;
    for (SQLException link = first; link != null; link = link.getNextException()) {
      found = sharper(found, new Faults(fault(link, dialect), link, dialect.name()));
    }
    return found == null ? new Faults(Fault.REFUSED, first, dialect.name()) : found;
  }

  private static Fault fault(SQLException link, Dialect dialect) {
    return link instanceof ClosedPoolException ? Fault.CLOSED : dialect.faults().of(link);
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

  /**
   * What to throw for {@code failure}: a row that another session inserted first is a lost race.
   */
  public static RuntimeException raced(String why, RuntimeException failure, Dialect dialect) {
    Faults faults = behind(failure, dialect);
    boolean lost = faults != null && faults.fault == Fault.DUPLICATE;
    return lost ? lostRace(why, failure) : failure;
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

  /** That the pool is closed, if {@code refusal} says so; null if not. */
  public static @Nullable StoreException ofClosedPool(String what, @Nullable Exception refusal) {
    return refusal instanceof SQLException said
            && ClosedPoolException.of(said) instanceof ClosedPoolException closed
        ? new Faults(Fault.CLOSED, closed, "").toException(what)
        : null;
  }

  /** The same where the pool is closed, which is why. */
  Faults ofClosedPool() {
    return new Faults(Fault.CLOSED, refusal, dialect);
  }

  /** True when the same may go well later. */
  public boolean mayPass() {
    return switch (fault) {
      case RETRY, CONNECTION, PASSING, SLOW, READ_ONLY -> true;
      case ABORTED, CLOSED, MISSING, EXISTS, DENIED, DUPLICATE, REFUSED -> false;
    };
  }

  /** What failed, the remedy, if there is one, and what the server said. */
  public StoreException toException(String what) {
    return toException(what, remedy());
  }

  /** The same with another remedy. */
  public StoreException toException(String what, String remedy) {
    String text = what + ": " + (remedy.isEmpty() ? "" : remedy + ". The database says: ") + said();
    return switch (fault) {
      case RETRY -> StoreException.contended(text, refusal);
      case CONNECTION, PASSING, READ_ONLY -> StoreException.passing(text, refusal);
      case SLOW -> StoreException.slow(text, refusal);
      case CLOSED -> StoreException.closed(text, refusal);
      case ABORTED, MISSING, EXISTS, DENIED, DUPLICATE, REFUSED ->
          StoreException.lasting(text, refusal);
    };
  }

  private String said() {
    return "%s (SQLState %s, code %d)"
        .formatted(refusal.getMessage(), refusal.getSQLState(), refusal.getErrorCode());
  }

  private String remedy() {
    return switch (fault) {
      case ABORTED -> "an earlier statement of this transaction failed" + earlier() + "; roll back";
      case CLOSED ->
          "the connection pool is closed; close the relay, and all else that uses the store, before its pool";
      case MISSING ->
          isOfTheArchive()
              ? "the archive, or one of its columns, is not there; create it with Schema.builder(dataSource).with(Schema.Part.ARCHIVE).create() or dev/outbox/jdbc/ddl/"
                  + dialect
                  + "/archive.sql"
              : "the tables, or some of their columns, are not there; create them with Schema.builder(dataSource).create() or dev/outbox/jdbc/ddl/"
                  + dialect
                  + "/outbox.sql, or say their schema(..) and tablePrefix(..) to JdbcStore.builder(dataSource)";
      case DENIED ->
          "the database user lacks a right; grant what docs/operate-grants.md lists for its role";
      case READ_ONLY -> "the server or session only reads; connect to the primary";
      case DUPLICATE ->
          "if ids are given again, as after a restore or a dump, run Schema.builder(dataSource).build().raiseIds()";
      case RETRY, CONNECTION, PASSING, SLOW, EXISTS, REFUSED -> "";
    };
  }

  /** By the name that the server says; Oracle says none before 23ai. */
  private boolean isOfTheArchive() {
    return ARCHIVE.matcher(String.valueOf(refusal.getMessage())).find();
  }

  private String earlier() {
    Throwable first = refusal;
    for (Throwable cause = refusal; cause != null; cause = cause.getCause()) {
      first = cause;
    }
    return first == refusal ? "" : " (" + first.getMessage() + ")";
  }
}
