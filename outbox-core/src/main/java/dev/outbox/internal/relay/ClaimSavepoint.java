package dev.outbox.internal.relay;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.publish.Ack;
import dev.outbox.spi.RowClaim;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a transactional publisher writes in the transaction of a claim, from its savepoint on.
 *
 * <p>Used by the worker's thread only.
 */
record ClaimSavepoint(Connection transaction, Savepoint begin) {
  private static final Logger log = LoggerFactory.getLogger(ClaimSavepoint.class);

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
   * Some databases answer a deadlock by rolling back the whole transaction, the claim with it. What
   * came later then is in a transaction without a claim, so nothing of it may be settled.
   */
  void requireIntact() {
    try {
      transaction.releaseSavepoint(begin);
    } catch (SQLFeatureNotSupportedException e) {
      // Oracle's driver has no release, and Oracle ends statements only
      log.debug("the driver cannot release savepoints", e);
    } catch (SQLException e) {
      throw StoreException.passing("the claim's transaction ended before its flight did", e);
    }
  }
}
