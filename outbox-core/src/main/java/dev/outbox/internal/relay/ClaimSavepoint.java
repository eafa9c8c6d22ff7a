package dev.outbox.internal.relay;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.spi.RowClaim;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a transactional publisher writes in the transaction of a claim, from its savepoint on.
 *
 * <p>Used by the worker's thread only.
 */
record ClaimSavepoint(Connection transaction, Savepoint begin) {
  private static final Logger log = LoggerFactory.getLogger(ClaimSavepoint.class);
  private static final String CAUGHT =
      "a statement failed and the publisher caught its exception, but the database had aborted the transaction; let it throw, or roll back to a savepoint of your own. The database says: ";
  private static final String ENDED =
      "the claim's transaction ended too early, for messages of topics %s: a deadlock or a lost connection ended it, or the publisher did, which it must not. The database says: %s";

  static ClaimSavepoint beginIn(RowClaim claim) {
    try {
      return new ClaimSavepoint(claim.transaction(), claim.transaction().setSavepoint());
    } catch (SQLException e) {
      throw StoreException.passing("the claim's transaction has no savepoints", e);
    }
  }

  /**
   * A transactional publisher that threw has left unknown effects: all are undone, and none of its
   * answers counts.
   */
  void undoIfThrown(OpenFlight flight) {
    Throwable thrown = flight.thrown();
    if (thrown != null) {
      try {
        transaction.rollback(begin);
      } catch (SQLException e) {
        throw StoreException.passing("the effects of a flight could not be undone", e);
      }
      flight.overrule(Ack.of(thrown));
    }
  }

  /**
   * Ends the savepoint after a flight. Some databases answer a deadlock by rolling back the whole
   * transaction, the claim with it. What came later is then in a transaction without a claim, so
   * nothing of it may be settled.
   *
   * <p>PostgreSQL gives up a transaction in which a statement failed, but keeps its savepoints.
   * There the flight alone is undone. If it had one message, that message failed. If it had more,
   * nobody knows whose statement it was: all go back, and false asks for flights of one message.
   */
  boolean end(OpenFlight flight) {
    try {
      transaction.releaseSavepoint(begin);
      return true;
    } catch (SQLFeatureNotSupportedException e) {
      // Oracle's driver has no release, and Oracle ends statements only
      log.debug("the driver cannot release savepoints", e);
      return true;
    } catch (SQLException e) {
      undo(flight, e);
      String reason = CAUGHT + first(e).getMessage();
      boolean alone = flight.aboard().size() == 1;
      flight.overrule(
          alone ? Ack.failed(new IllegalStateException(reason, e)) : Ack.notSent(reason));
      return alone;
    }
  }

  private void undo(OpenFlight flight, SQLException over) {
    try {
      transaction.rollback(begin);
    } catch (SQLException e) {
      over.addSuppressed(e);
      String text = ENDED.formatted(topics(flight), first(over).getMessage());
      throw isLost(over) || isLost(e)
          ? StoreException.passing(text, over)
          : StoreException.contended(text, over);
    }
  }

  /** A server that ends a session says why first, and the next call finds no connection. */
  private static boolean isLost(SQLException e) {
    return String.valueOf(e.getSQLState()).startsWith("08");
  }

  private static Set<String> topics(OpenFlight flight) {
    return flight.envelopes().stream().map(Envelope::topic).collect(Collectors.toSet());
  }

  /** The first failure: behind what the server says of the transaction that it gave up. */
  private static Throwable first(Throwable thrown) {
    return thrown.getCause() == null ? thrown : first(thrown.getCause());
  }
}
