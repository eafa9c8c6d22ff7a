package dev.outbox.testkit.internal.store;

import dev.outbox.StoreException;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import dev.outbox.testkit.internal.tables.LaneRow;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Settles lanes of an in-memory store. Every method is one step under the tables' monitor. */
final class InMemorySettling {
  private final InMemoryTables inMemoryTables;
  private final Duration lease;

  InMemorySettling(InMemoryTables inMemoryTables, Duration lease) {
    this.inMemoryTables = inMemoryTables;
    this.lease = lease;
  }

  Map<Lane, SettleResult> settle(List<Settlement> settlements) {
    synchronized (inMemoryTables) {
      refuseLocked(settlements);
      Map<Lane, SettleResult> settleResults = new TreeMap<>();
      settlements.forEach(
          settlement -> settleResults.put(settlement.lease().lane(), settle(settlement)));
      return settleResults;
    }
  }

  private void refuseLocked(List<Settlement> settlements) {
    for (Settlement settlement : settlements) {
      if (inMemoryTables.lane(settlement.lease().lane()).locked) {
        throw StoreException.passing(
            "another session has locked lane " + settlement.lease().lane(), null);
      }
    }
  }

  private SettleResult settle(Settlement settlement) {
    LaneRow row = inMemoryTables.lane(settlement.lease().lane());
    if (!row.belongsTo(settlement.lease())) {
      return new SettleResult.Fenced();
    }
    SettleResult settleResult = apply(settlement.fates());
    if (settlement.after() != Settlement.After.RUN_ON) {
      row.floor = settlement.floor();
      row.until = inMemoryTables.now().plus(lease);
    }
    if (!settlement.fates().isEmpty()) {
      row.takeovers = 0;
      row.suspect = null;
    }
    if (settlement.after() == Settlement.After.RELEASE) {
      row.owner = null;
    }
    return settleResult;
  }

  private SettleResult apply(List<Fate> fates) {
    int missing = 0;
    int taken = 0;
    Set<HeldKey> left = new LinkedHashSet<>();
    Set<HeldKey> moved = new LinkedHashSet<>();
    for (Fate fate : fates) {
      boolean written = inMemoryTables.fates.write(fate);
      missing += written ? 0 : 1;
      HeldKey key = fate.storedEnvelope().holdable();
      boolean renumbered =
          written
              && fate instanceof Fate.Park
              && !inMemoryTables.fates.isParked(fate.storedEnvelope());
      taken += renumbered ? 1 : 0;
      boolean leaves = fate.storedEnvelope().isParked() && !(fate instanceof Fate.Park);
      boolean unparked = !written && !isForItsTopic(fate);
      if (key != null && (leaves || unparked)) {
        left.add(key);
      }
      if (key != null && fate instanceof Fate.Park park && park.reason() == HoldReason.FOLLOWER) {
        moved.add(key);
      }
    }
    moved.addAll(left);
    moved.forEach(key -> inMemoryTables.parked.wakeFirst(key, inMemoryTables.now()));
    left.removeIf(inMemoryTables::isHeld);
    return new SettleResult.Settled(left, missing, taken);
  }

  private static boolean isForItsTopic(Fate fate) {
    return fate instanceof Fate.Park park && park.reason() == HoldReason.TOPIC;
  }
}
