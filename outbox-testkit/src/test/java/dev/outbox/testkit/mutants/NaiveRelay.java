package dev.outbox.testkit.mutants;

import dev.outbox.publish.Publisher;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.testkit.crash.CrashRun;
import dev.outbox.testkit.schedule.DrivenRelay;
import dev.outbox.testkit.schedule.RelaySpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * A relay as small as one can be that keeps the promises, with one switch for each bug of the
 * field: claim, read, publish one of each key, settle.
 */
final class NaiveRelay implements DrivenRelay {
  private static final int MOST_TURNS = 10_000;
  private static final int ALL = 100;

  private final Map<Lane, NaiveLane> lanes = new TreeMap<>();
  private final LaneStore store;
  private final Publisher publisher;
  private final LongSupplier nanos;
  private final int batch;
  private final Bug bug;
  private boolean leaving;

  NaiveRelay(RelaySpec relaySpec, Bug bug) {
    this.store = relaySpec.store().lanes(relaySpec.name(), CrashRun.LEASE);
    this.publisher = relaySpec.publisher();
    this.nanos = relaySpec.nanos();
    this.batch = relaySpec.batch();
    this.bug = bug;
  }

  @Override
  public void drain() {
    for (int turn = 0; turn < MOST_TURNS; turn++) {
      if (!turn()) {
        return;
      }
    }
    throw new IllegalStateException("still busy after " + MOST_TURNS + " turns");
  }

  @Override
  public boolean turn() {
    lanes.values().forEach(lane -> lane.land(nanos.getAsLong()));
    boolean busy = settle();
    claim();
    for (NaiveLane lane : List.copyOf(lanes.values())) {
      busy |= work(lane);
    }
    return busy;
  }

  private boolean settle() {
    long now = nanos.getAsLong();
    List<Settlement> settlements =
        lanes.values().stream()
            .filter(lane -> leaving || lane.isFinished() || lane.needsRenewal(now))
            .map(lane -> lane.settlement(leaving))
            .toList();
    if (!settlements.isEmpty()) {
      write(settlements);
    }
    return settlements.stream().anyMatch(settlement -> !settlement.fates().isEmpty());
  }

  private void write(List<Settlement> settlements) {
    long before = nanos.getAsLong();
    Map<Lane, SettleResult> settleResults = store.settle(settlements);
    for (Settlement settlement : settlements) {
      Lane number = settlement.lease().lane();
      NaiveLane lane = lanes.get(number);
      if (settleResults.get(number) instanceof SettleResult.Settled settled && lane != null) {
        lane.settled(settlement.fates(), settled, before);
      }
      if (!(settleResults.get(number) instanceof SettleResult.Settled)
          || settlement.after() == Settlement.After.RELEASE) {
        lanes.remove(number);
      }
    }
  }

  private void claim() {
    long now = nanos.getAsLong();
    if (leaving || !lanes.values().stream().allMatch(lane -> lane.isSure(now))) {
      return;
    }
    for (LaneClaim claim : store.claim(ALL)) {
      lanes.put(claim.lease().lane(), new NaiveLane(claim, now, bug));
    }
  }

  private boolean work(NaiveLane lane) {
    long now = nanos.getAsLong();
    if (!lane.isIdle(now) || !mayPublish(lane)) {
      return false;
    }
    store.promoteDue(List.of(lane.lease()), ALL);
    LaneStore.Cursor cursor = new LaneStore.Cursor(lane.lease().lane(), 0, batch);
    List<StoredEnvelope> read =
        new ArrayList<>(store.readDue(List.of(cursor), Long.MAX_VALUE, Set.of()));
    if (read.isEmpty()) {
      read.addAll(store.read(List.of(cursor), Long.MAX_VALUE));
    }
    lane.begin(read, now);
    if (!mayPublish(lane)) {
      lane.forget();
      return false;
    }
    publish(lane);
    return !read.isEmpty() && !lane.isResting(now);
  }

  private boolean mayPublish(NaiveLane lane) {
    return bug == Bug.LATE_PUBLISH || lane.isSure(nanos.getAsLong());
  }

  private void publish(NaiveLane lane) {
    List<StoredEnvelope> aboard = lane.aboard();
    if (bug == Bug.DELETE_BEFORE_CONFIRM && !aboard.isEmpty()) {
      writeAsDelivered(lane, aboard);
    }
    int half = bug == Bug.COMMIT_IN_MID_BATCH ? aboard.size() / 2 : 0;
    if (half > 0) {
      lane.fly(publisher, aboard.subList(0, half), nanos);
      writeAsDelivered(lane, aboard);
    }
    if (half < aboard.size()) {
      lane.fly(publisher, aboard.subList(half, aboard.size()), nanos);
    }
  }

  private void writeAsDelivered(NaiveLane lane, List<StoredEnvelope> aboard) {
    List<Fate> fates = new ArrayList<>();
    aboard.forEach(storedEnvelope -> fates.add(new Fate.Deliver(storedEnvelope)));
    store.settle(List.of(new Settlement(lane.lease(), 0, fates, Settlement.After.RENEW)));
  }

  @Override
  public void crash() {
    store.close();
  }

  @Override
  public void close() {
    leaving = true;
    lanes.values().forEach(lane -> lane.land(nanos.getAsLong()));
    Set<NaiveLane> flying = new HashSet<>(lanes.values());
    flying.removeIf(lane -> !lane.isInFlight());
    lanes.values().removeAll(flying);
    settle();
    store.close();
  }
}
