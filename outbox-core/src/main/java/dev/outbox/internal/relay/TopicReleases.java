package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When messages that were parked with their topic may go on: after this relay has parked some,
 * after another topic is held, and now and then for those of relays that are gone.
 *
 * <p>Safe for use by many threads.
 */
final class TopicReleases {
  private static final Duration OF_OTHERS = Duration.ofSeconds(10);

  private boolean due = true;
  private Set<String> except = Set.of();
  private Ticker.@Nullable Moment last;

  /** A hold may be over before anybody looks, so it is not enough to see that it ends. */
  void settled(List<Fate> fates) {
    if (fates.stream()
        .anyMatch(fate -> fate instanceof Fate.Park park && park.reason() == HoldReason.TOPIC)) {
      again();
    }
  }

  /** There may be more. */
  synchronized void again() {
    due = true;
  }

  /** True when some may wait, if only for a topic that is held. */
  synchronized boolean mayHaveMore() {
    return due || !except.isEmpty();
  }

  /** Lets all go on but those of {@code held} topics, if it is time to. Returns how many did. */
  int release(RowStore store, Set<String> held, int most, Ticker.Moment now) {
    if (!isTime(held, now)) {
      return 0;
    }
    int released = most; // if the call fails there may be more
    try {
      released = store.release(held, most);
    } finally {
      if (released == most) {
        again();
      }
    }
    return released;
  }

  private synchronized boolean isTime(Set<String> held, Ticker.Moment now) {
    if (!due && held.equals(except) && now.isWithin(OF_OTHERS, last)) {
      return false;
    }
    due = false;
    except = held;
    last = now;
    return true;
  }
}
