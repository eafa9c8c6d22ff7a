package dev.outbox.examples.quickstart;

import dev.outbox.message.MessageId;
import dev.outbox.testkit.InMemoryBroker;
import java.util.HashSet;
import java.util.Set;

/** What became of the messages, by comparing what was committed with what the broker has. */
record Tally(
    int committed,
    int rolledBack,
    int published,
    int phantom,
    int retried,
    int repeated,
    int lost) {

  static Tally of(Set<MessageId> committed, int rolledBack, int retried, InMemoryBroker broker) {
    Set<MessageId> lost = new HashSet<>(committed);
    lost.removeAll(broker.ids());
    Set<MessageId> phantom = new HashSet<>(broker.ids());
    phantom.removeAll(committed);
    int published = broker.ids().size();
    return new Tally(
        committed.size(),
        rolledBack,
        published,
        phantom.size(),
        retried,
        broker.count() - published,
        lost.size());
  }

  boolean isClean() {
    return lost == 0 && phantom == 0;
  }

  /** The last line of the quickstart. */
  String line() {
    return "quickstart: committed=%d published=%d repeated=%d lost=%d"
        .formatted(committed, published, repeated, lost);
  }
}
