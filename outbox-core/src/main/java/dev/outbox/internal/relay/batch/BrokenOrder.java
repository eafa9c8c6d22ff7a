package dev.outbox.internal.relay.batch;

import dev.outbox.internal.relay.batch.SettleDecision.Later;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a batch of which a message did not leave, and what becomes of those behind it.
 *
 * <p>Used by the loop thread only.
 */
final class BrokenOrder {
  private final Map<HeldKey, Later> later = new HashMap<>();
  private final Set<HeldKey> stopped = new HashSet<>();
  private final SettleDecision decision;

  BrokenOrder(SettleDecision decision) {
    this.decision = decision;
  }

  boolean has(@Nullable HeldKey key) {
    return key != null && later.containsKey(key);
  }

  /** True when one of the key flew and did not leave. */
  boolean isStopped(@Nullable HeldKey key) {
    return key != null && stopped.contains(key);
  }

  /** One of the key did not fly. */
  void grounded(@Nullable HeldKey key, Later others) {
    if (key != null) {
      later.put(key, others);
    }
  }

  /** One of the key flew and did not leave. */
  void stop(@Nullable HeldKey key, Later others) {
    if (key != null) {
      later.put(key, others);
      stopped.add(key);
    }
  }

  /** As {@link #stop}; what was said of the others stays. */
  void stop(@Nullable HeldKey key) {
    if (key != null) {
      stop(key, later.getOrDefault(key, Later.LEAVE));
    }
  }

  /**
   * The fate of one behind a message of its key that did not leave: a ready one is parked behind it
   * if that one was, a parked one stays where it is, without a fate.
   */
  @Nullable Fate behind(StoredEnvelope message, HeldKey key) {
    if (message.isParked()) {
      return null;
    }
    Later others = later.get(key);
    if (others == Later.FOLLOW) {
      return decision.follow(message);
    }
    return others == Later.HOLD ? decision.hold(message) : null;
  }
}
