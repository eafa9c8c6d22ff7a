package dev.outbox.testkit.history;

import dev.outbox.message.MessageId;
import java.util.List;
import java.util.Set;

/**
 * What is left once everything has ended: messages that are accounted for though they never arrived
 * (parked, delayed, dead), and things that should not be there any more (a message that is still
 * ready, a lease, an open connection), each in words.
 *
 * <p>Immutable.
 */
public record Leftovers(Set<MessageId> accounted, List<String> leftOver) {
  /** Every message was delivered, and nothing is left. */
  public static final Leftovers NOTHING = new Leftovers(Set.of(), List.of());

  public Leftovers {
    accounted = Set.copyOf(accounted);
    leftOver = List.copyOf(leftOver);
  }
}
