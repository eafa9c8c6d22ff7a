package dev.outbox.internal.relay;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.spi.RowClaim;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a transactional publisher writes in the transaction of a claim, from its savepoint on.
 *
 * <p>Used by the worker's thread only.
 */
record ClaimSavepoint(RowClaim claim, Savepoint begin) {
  private static final Logger log = LoggerFactory.getLogger(ClaimSavepoint.class);
  private static final String CAUGHT =
      "a statement failed and the publisher caught its exception, but the database had aborted the transaction; let it throw, or roll back to a savepoint of your own. The database says: ";
  private static final String ENDED =
      "the claim's transaction ended too early, for messages of topics %s: a deadlock or a lost connection ended it, or the publisher did, which it must not do: a commit removes all that was claimed. The database says: %s";

  /** States that begin so: the connection is lost, or the server ends its session. */
  private static final List<String> LOST = List.of("08", "57P0");

  private static final String ROLLED_BACK = "40";

  static ClaimSavepoint beginIn(RowClaim claim) {
    try {
      return new ClaimSavepoint(claim, claim.transaction().setSavepoint());
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
        claim.transaction().rollback(begin);
      } catch (SQLException e) {
        e.addSuppressed(thrown);
        throw ended(flight, e);
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
      claim.transaction().releaseSavepoint(begin);
    } catch (SQLFeatureNotSupportedException e) {
      // Oracle's driver has no release, and Oracle ends statements only
      log.debug("the driver cannot release savepoints", e);
    } catch (SQLException e) {
      undo(flight, e);
      String reason = CAUGHT + first(e).getMessage();
      boolean alone = flight.aboard().size() == 1;
      flight.overrule(
          alone ? Ack.failed(new IllegalStateException(reason, e)) : Ack.notSent(reason));
      return alone;
    }
    if (claim.hasEnded()) {
      throw ended(flight, new SQLException("it has begun another transaction"));
    }
    return true;
  }

  private void undo(OpenFlight flight, SQLException over) {
    try {
      claim.transaction().rollback(begin);
    } catch (SQLException e) {
      over.addSuppressed(e);
      throw ended(flight, over);
    }
  }

  private StoreException ended(OpenFlight flight, SQLException over) {
    String text = ENDED.formatted(topics(flight), first(over).getMessage());
    // a server that ends a session says so first, and a pool forgets it in what it throws later
    if (LOST.stream().anyMatch(state -> wasTold(flight, over, state))) {
      return StoreException.passing(text, over);
    }
    if (!wasTold(flight, over, ROLLED_BACK)) {
      log.error(
          "messages {} may be gone: the claim's transaction ended too early, and if the publisher committed it, they were removed. For each, look in the outbox tables and for its effect. Where you find neither, enqueue it again",
          claim.messages().stream().map(each -> each.envelope().id()).toList());
    }
    return StoreException.contended(text, over);
  }

  /**
   * Whether we or the publisher were told so by the database: then all that was claimed is back.
   */
  private static boolean wasTold(OpenFlight flight, SQLException over, String state) {
    Stream<@Nullable Throwable> causes =
        IntStream.range(0, flight.aboard().size()).mapToObj(flight::answer).map(ack -> cause(ack));
    return Stream.concat(Stream.of(over, flight.thrown()), causes)
        .anyMatch(cause -> hasState(cause, state));
  }

  private static @Nullable Throwable cause(@Nullable Ack ack) {
    if (ack instanceof Ack.Failed failed) {
      return failed.cause();
    }
    return ack instanceof Ack.Unavailable down ? down.cause() : null;
  }

  private static boolean hasState(@Nullable Throwable thrown, String state) {
    return hasState(thrown, state, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  /**
   * Whether it, or what is behind it, has a state that begins so; a driver may lead in a circle.
   */
  private static boolean hasState(@Nullable Throwable thrown, String state, Set<Throwable> seen) {
    if (thrown == null || !seen.add(thrown)) {
      return false;
    }
    boolean has =
        thrown instanceof SQLException e && String.valueOf(e.getSQLState()).startsWith(state);
    return has
        || hasState(thrown.getCause(), state, seen)
        || Stream.of(thrown.getSuppressed()).anyMatch(each -> hasState(each, state, seen));
  }

  private static Set<String> topics(OpenFlight flight) {
    return flight.envelopes().stream().map(Envelope::topic).collect(Collectors.toSet());
  }

  /** The first failure: behind what the server says of the transaction that it gave up. */
  private static Throwable first(Throwable thrown) {
    return thrown.getCause() == null ? thrown : first(thrown.getCause());
  }
}
