package dev.outbox.internal.relay.cluster;

import dev.outbox.internal.relay.base.LockWaits;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.settle.LeaseKeeper;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
import java.time.Duration;

/**
 * What a relay does for its cluster. As it stands here it is of the only cluster, which has no
 * other to report its life to and nothing to take over.
 *
 * <p>Used by the loop thread only.
 */
public interface ClusterMember {
  static ClusterMember of(
      LaneStore store,
      LeaseKeeper keeper,
      LockWaits lockWaits,
      RelaySettings settings,
      Layout layout,
      Ticker ticker) {
    return layout.hasPeers()
        ? new AmongPeers(store, keeper, lockWaits, settings, layout, ticker)
        : new ClusterMember() {};
  }

  /** True when this relay may lease lanes and publish: not when it stood still since its beat. */
  default boolean mayWork() {
    return true;
  }

  /** Beats, returns and takes over, as far as it is time to. True when there is more to take. */
  default boolean turn() {
    return false;
  }

  /** Says that this cluster lives, as a relay that closes goes on to do. True when it was time. */
  default boolean beatWhenDue() {
    return false;
  }

  /** The longest rest before the next beat, if that is shorter than {@code rest}. */
  default Duration longestRest(Duration rest) {
    return rest;
  }
}
