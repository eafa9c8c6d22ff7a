package dev.outbox.testkit.crash;

/**
 * Where a writer, a relay or a publisher can be hit: a boundary at which something becomes durable.
 */
public enum CrashPoint {
  /** A writer inserts messages. */
  INSERT,
  /** A relay takes lanes: after it, the leases are taken and no relay works under them. */
  CLAIM,
  /** A relay looks for work. */
  LOOK,
  /** A relay reads messages: after it, they are in memory. */
  READ,
  /** A relay moves delayed messages that have fallen due. */
  PROMOTE,
  /** A relay lets go on what was held with its topic. */
  RELEASE,
  /** A relay notes which message may kill it, or that it did not. */
  SUSPECT,
  /** A relay renews leases or releases lanes, with no fate to write. */
  RENEW,
  /** A relay writes that messages were delivered. */
  SETTLE,
  /** A relay writes fates some of which move a message: a park, a burial. */
  MOVE,
  /**
   * A relay by rows writes all fates and commits: with it fails the whole claim, so what it had in
   * flight is published again.
   */
  END_CLAIM,
  /** A relay says that it lives. */
  BEAT,
  /** A flight is handed to the publisher. */
  PUBLISH,
  /**
   * The publisher answers for one message: before it, the broker has the message and the relay does
   * not know; after it, that many of the flight are answered.
   */
  ANSWER,
  /** One SQL statement. */
  STATEMENT,
  /** A database transaction commits: after it, the commit is in doubt for who made it. */
  TRANSACTION;

  /** True when something is committed there, as far as there was something to write. */
  boolean commits() {
    return switch (this) {
      case CLAIM, PROMOTE, RELEASE, SUSPECT, RENEW, SETTLE, MOVE, END_CLAIM, TRANSACTION -> true;
      case INSERT, LOOK, READ, BEAT, PUBLISH, ANSWER, STATEMENT -> false;
    };
  }
}
