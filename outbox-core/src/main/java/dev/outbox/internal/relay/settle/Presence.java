package dev.outbox.internal.relay.settle;

import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.lane.LiveRelay;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says in the registry that this relay lives and whether it shares the lanes, and knows how many
 * others do.
 *
 * <p>Used by one thread.
 */
public final class Presence {
  private final RelayRegistry registry;
  private final String relay;
  private final RelaySettings.Leasing leasing;
  private Ticker.@Nullable Moment last;
  private boolean sharing = true;
  private int others;

  public Presence(RelayRegistry registry, String relay, RelaySettings.Leasing leasing) {
    this.registry = registry;
    this.relay = relay;
    this.leasing = leasing;
  }

  /**
   * Says so again once the time has come, or when something has changed. True when it did, and so
   * knows again who else there is.
   */
  public boolean beat(boolean sharing, Ticker.Moment now) {
    if (now.isWithin(leasing.renewal(), last) && sharing == this.sharing) {
      return false;
    }
    List<LiveRelay> live = registry.beat(relay, leasing.lease(), sharing);
    others =
        (int) live.stream().filter(each -> each.sharing() && !each.name().equals(relay)).count();
    this.sharing = sharing;
    last = now;
    return true;
  }

  /** The next beat is due whatever the time. */
  void hurry() {
    last = null;
  }

  /** How many other relays share the lanes. */
  int others() {
    return others;
  }

  public void leave() {
    registry.leave(relay);
  }
}
