package dev.outbox.internal.relay;

import dev.outbox.store.RelayRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Says in the registry that this relay lives, and knows how many do.
 *
 * <p>Used by one thread.
 */
final class Presence {
  private final RelayRegistry registry;
  private final String relay;
  private final RelaySettings.Leasing leasing;
  private Ticker.@Nullable Moment last;
  private int live = 1;

  Presence(RelayRegistry registry, String relay, RelaySettings.Leasing leasing) {
    this.registry = registry;
    this.relay = relay;
    this.leasing = leasing;
  }

  /**
   * Says so again once the time has come. True when it did, and so knows the number of live relays
   * anew.
   */
  boolean beat(Ticker.Moment now) {
    if (last != null && now.since(last).compareTo(leasing.renewal()) < 0) {
      return false;
    }
    Duration lifetime = leasing.lease();
    live = Math.max(1, registry.beat(relay, lifetime, true).size());
    last = now;
    return true;
  }

  /** The next beat is due whatever the time. */
  void hurry() {
    last = null;
  }

  int live() {
    return live;
  }

  void leave() {
    registry.leave(relay);
  }
}
