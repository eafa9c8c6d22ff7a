package dev.outbox.internal.relay;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.internal.relay.flight.Refusals;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.spi.RowClaim;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
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

  /** How the states of a deadlock and a serialization failure begin. */
  private static final String ROLLED_BACK = "40";

  /** MariaDB's driver went on to another server: the connection answers, and the claim is back. */
  private static final String FAILED_OVER = "25S03";

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
        StoreException ended = ended(flight, e, e);
        e.addSuppressed(thrown);
        throw ended;
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
      String reason = CAUGHT + Refusals.first(e).getMessage();
      boolean alone = flight.aboard().size() == 1;
      flight.overrule(
          alone ? Ack.failed(new IllegalStateException(reason, e)) : Ack.notSent(reason));
      return alone;
    }
    if (claim.hasEnded()) {
      SQLException another = new SQLException("it has begun another transaction", "25000");
      throw ended(flight, another, another);
    }
    return true;
  }

  private void undo(OpenFlight flight, SQLException over) {
    try {
      claim.transaction().rollback(begin);
    } catch (SQLException e) {
      StoreException ended = ended(flight, over, e);
      over.addSuppressed(e);
      throw ended;
    }
  }

  /** {@code over} is told; {@code refusal} is what our own rollback met, and may be the same. */
  private StoreException ended(OpenFlight flight, SQLException over, SQLException refusal) {
    String text = ENDED.formatted(topics(flight), Refusals.first(over).getMessage());
    if (isLost(flight, over, refusal)) {
      return StoreException.passing(text, over);
    }
    if (!wasRolledBack(flight, over)) {
      log.error(
          "messages {} may be gone: the claim's transaction ended too early, and if the publisher committed it, they were removed. For each, look in the outbox tables and for its effect. Where you find neither, enqueue it again",
          claim.messages().stream().map(each -> each.envelope().id()).toList());
    }
    return StoreException.contended(text, over);
  }

  /**
   * A server that ends a session says so once, perhaps to the publisher, and a pool then refuses
   * without a state. A state proves that our connection answers: the publisher lost another one.
   */
  private boolean isLost(OpenFlight flight, SQLException over, SQLException refusal) {
    boolean isSilent = refusal.getSQLState() == null;
    return Stream.of(over, refusal).flatMap(Refusals::behind).anyMatch(claim::isLost)
        || told(flight)
            .flatMap(Refusals::behind)
            .anyMatch(each -> isSilent ? claim.isLost(each) : begins(each, FAILED_OVER));
  }

  /**
   * Whether a deadlock rolled back the whole claim: then its message's own savepoint is gone too. A
   * commit before the deadlock looks the same. Claims without a deadlock show that one.
   */
  private static boolean wasRolledBack(OpenFlight flight, SQLException over) {
    return begins(over, ROLLED_BACK)
        || Refusals.behind(flight.thrown()).anyMatch(each -> begins(each, ROLLED_BACK))
        || answers(flight).flatMap(Refusals::behind).anyMatch(ClaimSavepoint::tookItsSavepoint);
  }

  /** A failed rollback to a savepoint has the failure that led to it among the suppressed. */
  private static boolean tookItsSavepoint(SQLException refusal) {
    return Stream.of(refusal.getSuppressed())
        .flatMap(Refusals::behind)
        .anyMatch(each -> begins(each, ROLLED_BACK));
  }

  private static boolean begins(SQLException refusal, String state) {
    return String.valueOf(refusal.getSQLState()).startsWith(state);
  }

  /** What the database, or another one, told the publisher. */
  private static Stream<Throwable> told(OpenFlight flight) {
    return Stream.concat(Stream.ofNullable(flight.thrown()), answers(flight));
  }

  private static Stream<Throwable> answers(OpenFlight flight) {
    return IntStream.range(0, flight.aboard().size())
        .mapToObj(place -> cause(flight.answer(place)))
        .flatMap(Stream::ofNullable);
  }

  private static @Nullable Throwable cause(@Nullable Ack ack) {
    if (ack instanceof Ack.Failed failed) {
      return failed.cause();
    }
    return ack instanceof Ack.Unavailable down ? down.cause() : null;
  }

  private static Set<String> topics(OpenFlight flight) {
    return flight.envelopes().stream().map(Envelope::topic).collect(Collectors.toSet());
  }
}
