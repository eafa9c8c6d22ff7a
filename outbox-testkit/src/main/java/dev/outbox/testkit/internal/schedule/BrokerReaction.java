package dev.outbox.testkit.internal.schedule;

/** What the broker does with the next message that it gets. */
public enum BrokerReaction {
  REFUSE("refuses the next message"),
  DOWN("is down for the next message"),
  LOSE_CONFIRM("takes the next message, and its confirm is lost"),
  FAIL_CONFIRM("takes the next message and answers with an error"),
  TWICE("takes the next message twice");

  final String words;

  BrokerReaction(String words) {
    this.words = words;
  }
}
