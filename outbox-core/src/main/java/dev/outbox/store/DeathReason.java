package dev.outbox.store;

/** Why a message became a dead letter. */
public enum DeathReason {
  /** The publisher rejected it. */
  REJECTED,
  /** The retry policy gave up. */
  EXHAUSTED,
  /** Its {@code notAfter} had passed. */
  EXPIRED,
  /** The row cannot be read as a message, as when it was written by hand with broken headers. */
  UNREADABLE,
  /** It killed the relays that published it. */
  CRASH
}
