package dev.outbox.internal.enqueue;

import dev.outbox.spi.Wakeup;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.NewEnvelope;
import java.sql.Connection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Wakes relays for what an outbox has written: after the commit, where that is known, else by a
 * hint. A delayed message wakes nobody; it is found when it is due.
 *
 * <p>Safe for use by many threads.
 */
public final class CommitWakeups {
  private final Wakeup wakeup;
  private final Map<Same, Written> plain = new ConcurrentHashMap<>();

  public CommitWakeups(Wakeup wakeup) {
    this.wakeup = wakeup;
  }

  /** Something was committed; it is not said where. */
  public void wake() {
    wakeup.wake(Set.of());
  }

  /** What to run after the commit of a transaction that wrote {@code messages}. */
  public Runnable afterCommit(List<NewEnvelope> messages) {
    Set<Lane> lanes = lanes(messages);
    return () -> wake(lanes);
  }

  /**
   * An application's connection wrote {@code messages}. Within {@link #begun} and {@link
   * #committed} their lanes are noted; on any other connection the commit is unknown, so the relays
   * get a hint.
   */
  public void wrote(Connection transaction, List<NewEnvelope> messages) {
    Set<Lane> lanes = lanes(messages);
    if (!noted(transaction, lanes) && !lanes.isEmpty()) {
      wakeup.hint(lanes);
    }
  }

  /** A plain transaction begins: until it ends, what it writes is noted, and no hint is sent. */
  void begun(Connection transaction) {
    plain.put(new Same(transaction), Written.NOTHING);
  }

  void rolledBack(Connection transaction) {
    plain.remove(new Same(transaction));
  }

  /** Wakes for what the plain transaction wrote, or for anything when it did not write it here. */
  void committed(Connection transaction) {
    Written written = plain.remove(new Same(transaction));
    if (written == null || !written.any()) {
      wake();
    } else {
      wake(written.lanes());
    }
  }

  private boolean noted(Connection transaction, Set<Lane> lanes) {
    return !plain.isEmpty()
        && plain.computeIfPresent(new Same(transaction), (same, written) -> written.and(lanes))
            != null;
  }

  private void wake(Set<Lane> lanes) {
    if (!lanes.isEmpty()) {
      wakeup.wake(lanes);
    }
  }

  private static Set<Lane> lanes(List<NewEnvelope> messages) {
    Set<Lane> lanes = new HashSet<>();
    for (NewEnvelope message : messages) {
      if (message.due() == null) {
        lanes.add(message.lane());
      }
    }
    return Set.copyOf(lanes);
  }

  /** The lanes with news at the commit of a plain transaction, if it wrote anything. */
  private record Written(boolean any, Set<Lane> lanes) {
    static final Written NOTHING = new Written(false, Set.of());

    Written and(Set<Lane> more) {
      Set<Lane> all = new HashSet<>(lanes);
      all.addAll(more);
      return new Written(true, Set.copyOf(all));
    }
  }

  /** One connection object, whatever it says of itself. */
  private record Same(Connection connection) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Same same && same.connection == connection;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(connection);
    }
  }
}
