package dev.outbox.testkit.internal.schedule;

/** What is special about a message. */
public enum MessageTrait {
  PLAIN(""),
  /** Waits for its time. */
  DELAYED(", for later"),
  /** Goes out of date. */
  EXPIRING(", soon out of date"),
  /** The broker rejects it for good. */
  DOOMED(", which the broker rejects"),
  /** The broker refuses it each time. */
  SICK(", which the broker refuses each time"),
  /** Its sender dies. */
  DEADLY(", which kills its relay");

  final String words;

  MessageTrait(String words) {
    this.words = words;
  }
}
