package dev.outbox;

/** The two ways of claiming; a property of the tables, written once by the schema. */
public enum Claiming {
  /** Relays lease lanes and read them in order: keys, takeovers, full speed. */
  LANES,
  /**
   * Workers lock the messages themselves in one transaction: no keys, many workers, exactly-once
   * effects.
   */
  ROWS
}
