package dev.outbox.tck.store.operate;

import static java.util.Objects.requireNonNull;

import dev.outbox.message.Envelope;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.StoreCases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The plainest relay there can be: it claims, reads, publishes and settles by the store's port
 * alone, one step after the other, so that the contract needs no engine.
 *
 * <p>Used by one thread.
 */
final class PlainRelay {
  private static final int BATCH = 200;
  private static final long BYTES = 8L * 1024 * 1024;

  private final LaneStore lanes;
  private final int share;
  private final Predicate<Envelope> broker;
  private final Map<Lane, Owned> owned = new HashMap<>();
  private int missing;
  private int fenced;

  /**
   * A relay that holds up to {@code share} lanes; {@code broker} tells whether it took the
   * envelope.
   */
  PlainRelay(LaneStore lanes, int share, Predicate<Envelope> broker) {
    this.lanes = lanes;
    this.share = share;
    this.broker = broker;
  }

  /** Goes on until {@code done}, giving back its lanes whenever {@code tired} and at the end. */
  PlainRelay drainUntil(BooleanSupplier done, BooleanSupplier tired) {
    while (!done.getAsBoolean()) {
      step(tired.getAsBoolean() ? Settlement.After.RELEASE : Settlement.After.RENEW);
    }
    step(Settlement.After.RELEASE);
    return this;
  }

  /** Rows that were settled and not there; there must be none. */
  int missing() {
    return missing;
  }

  /** Settlements that were refused; there are none as long as leases do not run out. */
  int fenced() {
    return fenced;
  }

  private void step(Settlement.After after) {
    claim();
    lanes.promoteDue(owned.values().stream().map(Owned::lease).toList(), BATCH);
    publishDue();
    publishReady();
    settle(after);
  }

  private void claim() {
    for (LaneClaim claim : lanes.claim(share - owned.size())) {
      Set<HeldKey> held = new HashSet<>(claim.held());
      owned.put(claim.lease().lane(), new Owned(claim.lease(), held, new ArrayList<>()));
    }
  }

  private Owned owned(Lane lane) {
    return requireNonNull(owned.get(lane));
  }

  private void publishDue() {
    Set<HeldKey> broken = new HashSet<>();
    for (StoredEnvelope storedEnvelope : lanes.readDue(cursors(), BYTES, Set.of())) {
      HeldKey key = storedEnvelope.holdable();
      if (key == null || !broken.contains(key)) {
        Fate fate = publish(storedEnvelope);
        owned(storedEnvelope.lane()).fates.add(fate);
        if (key != null && fate instanceof Fate.Park) {
          broken.add(key);
        }
      }
    }
  }

  private List<LaneStore.Cursor> cursors() {
    return owned.keySet().stream().map(lane -> new LaneStore.Cursor(lane, 0, BATCH)).toList();
  }

  private void publishReady() {
    for (StoredEnvelope storedEnvelope : lanes.read(cursors(), BYTES)) {
      Owned lane = owned(storedEnvelope.lane());
      HeldKey key = storedEnvelope.holdable();
      boolean isHeld = key != null && lane.held.contains(key);
      Fate fate = isHeld ? StoreCases.follow(storedEnvelope) : publish(storedEnvelope);
      lane.fates.add(fate);
      if (key != null && fate instanceof Fate.Park) {
        lane.held.add(key);
      }
    }
  }

  private Fate publish(StoredEnvelope storedEnvelope) {
    if (broker.test(storedEnvelope.envelope())) {
      return new Fate.Deliver(storedEnvelope);
    }
    RetryState retryState = storedEnvelope.retryState();
    int attempts = retryState == null ? 1 : retryState.attempts() + 1;
    return new Fate.Park(storedEnvelope, HoldReason.FAILED, attempts, Duration.ZERO, "no", "no");
  }

  private void settle(Settlement.After after) {
    List<Settlement> settlements =
        owned.values().stream()
            .map(lane -> new Settlement(lane.lease, 0, lane.fates, after))
            .toList();
    owned.values().forEach(lane -> lane.fates.clear());
    lanes.settle(settlements).forEach(this::hear);
    if (after == Settlement.After.RELEASE) {
      owned.clear();
    }
  }

  private void hear(Lane lane, SettleResult settleResult) {
    if (settleResult instanceof SettleResult.Settled settled) {
      missing += settled.missing();
      owned(lane).held.removeAll(settled.freed());
    } else {
      fenced++;
      owned.remove(lane);
    }
  }

  /** A leased lane, its held keys, and the fates to settle next. */
  private record Owned(Lease lease, Set<HeldKey> held, List<Fate> fates) {}
}
