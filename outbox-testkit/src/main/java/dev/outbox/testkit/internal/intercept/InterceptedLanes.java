package dev.outbox.testkit.internal.intercept;

import dev.outbox.Topics.Setting;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.lane.GivenIds;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.OpenTransactions;
import dev.outbox.spi.lane.PendingLanes;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Claims by lanes that pass everything on, each call by way of {@link #around}.
 *
 * <p>Used by one thread, but for {@link #abort}.
 */
public abstract class InterceptedLanes implements LaneStore {
  private final LaneStore lanes;

  protected InterceptedLanes(LaneStore lanes) {
    this.lanes = lanes;
  }

  /** What a call comes to. The registry, the clusters and the end of the session are none. */
  protected <T> T around(StoreCall call, Supplier<T> effect) {
    return effect.get();
  }

  @Override
  public List<LaneClaim> claim(int atMost, Set<Lane> known) {
    return around(StoreCall.CLAIM, () -> lanes.claim(atMost, known));
  }

  @Override
  public List<LaneClaim> reclaim(Set<Lane> known) {
    return around(StoreCall.CLAIM, () -> lanes.reclaim(known));
  }

  @Override
  public PendingLanes look(List<Cursor> cursors, Set<String> heldTopics) {
    return around(StoreCall.LOOK, () -> lanes.look(cursors, heldTopics));
  }

  @Override
  public List<StoredEnvelope> read(List<Cursor> cursors, long bytes) {
    return around(StoreCall.READ, () -> lanes.read(cursors, bytes));
  }

  @Override
  public List<StoredEnvelope> readPast(
      List<Cursor> cursors, long bytes, Set<String> heldTopics, long reach) {
    return around(StoreCall.READ, () -> lanes.readPast(cursors, bytes, heldTopics, reach));
  }

  @Override
  public List<StoredEnvelope> readDue(List<Cursor> cursors, long bytes, Set<String> heldTopics) {
    return around(StoreCall.READ_DUE, () -> lanes.readDue(cursors, bytes, heldTopics));
  }

  @Override
  public int release(List<Lease> leases, Set<String> heldTopics, int atMost) {
    return around(StoreCall.RELEASE, () -> lanes.release(leases, heldTopics, atMost));
  }

  @Override
  public int promoteDue(List<Lease> leases, int atMost) {
    return around(StoreCall.PROMOTE, () -> lanes.promoteDue(leases, atMost));
  }

  @Override
  public Map<Lane, SettleResult> settle(List<Settlement> settlements) {
    return around(StoreCall.SETTLE, () -> lanes.settle(settlements));
  }

  @Override
  public boolean suspect(Lease lease, StoredEnvelope message) {
    return around(StoreCall.SUSPECT, () -> lanes.suspect(lease, message));
  }

  @Override
  public boolean restoreSuspect(Lease lease, Suspect suspect) {
    return around(StoreCall.SUSPECT, () -> lanes.restoreSuspect(lease, suspect));
  }

  @Override
  public Set<Lane> locked() {
    return around(StoreCall.ASK, lanes::locked);
  }

  @Override
  public long newest(long id) {
    return around(StoreCall.ASK, () -> lanes.newest(id));
  }

  @Override
  public long nextId() {
    return around(StoreCall.ASK, lanes::nextId);
  }

  @Override
  public GivenIds given(long next) {
    return around(StoreCall.ASK, () -> lanes.given(next));
  }

  @Override
  public OpenTransactions openTransactions() {
    return around(StoreCall.ASK, lanes::openTransactions);
  }

  @Override
  public boolean wereOpen(Set<String> transactions) {
    return around(StoreCall.ASK, () -> lanes.wereOpen(transactions));
  }

  @Override
  public Map<String, Setting> topics() {
    return around(StoreCall.ASK, lanes::topics);
  }

  @Override
  public RelayRegistry registry() {
    return lanes.registry();
  }

  @Override
  public ClusterStore clusters() {
    return lanes.clusters();
  }

  @Override
  public void abort() {
    lanes.abort();
  }

  @Override
  public void close() {
    lanes.close();
  }
}
