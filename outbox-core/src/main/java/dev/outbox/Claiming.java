package dev.outbox;

/** The two ways in which relays share the work; chosen when the tables are made. */
public enum Claiming {
  /** Relays lease lanes and read them in order: each key keeps its order. */
  LANES,
  /**
   * Workers lock single messages in a transaction: no keys and no order, but an effect in the same
   * database happens exactly once.
   */
  ROWS
}
