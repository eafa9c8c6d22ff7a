package dev.outbox.publish;

/** What a publisher promises of the messages of one topic and key that share a flight. */
public enum Ordering {
  /** Nothing: so the engine never puts two of them in flight at a time. */
  ONE_PER_KEY,
  /**
   * They arrive in order, and after one that was not delivered no later one is delivered in that
   * flight. So the engine hands over as many as there are.
   */
  PIPELINED
}
