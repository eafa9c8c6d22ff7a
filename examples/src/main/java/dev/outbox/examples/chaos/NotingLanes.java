package dev.outbox.examples.chaos;

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
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.testkit.history.Fates;
import dev.outbox.testkit.history.LeaseRight;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Notebook;
import dev.outbox.testkit.history.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Claims by lanes that write down which lanes are taken, kept, released and lost, and which fates
 * are stored.
 *
 * <p>Used by one thread, but for {@link #abort}.
 */
final class NotingLanes implements LaneStore {
  private final LaneStore lanes;
  private final Notebook notes;
  private final String relay;
  private final Aboard aboard;
  private final boolean early;
  private final Map<Lane, Lease> leases = new HashMap<>();

  NotingLanes(LaneStore lanes, Notebook notes, String relay, Aboard aboard, boolean early) {
    this.lanes = lanes;
    this.notes = notes;
    this.relay = relay;
    this.aboard = aboard;
    this.early = early;
  }

  @Override
  public List<LaneClaim> claim(int atMost, Set<Lane> known) {
    long asked = notes.now();
    return noted(lanes.claim(atMost, known), asked);
  }

  @Override
  public List<LaneClaim> reclaim(Set<Lane> known) {
    long asked = notes.now();
    return noted(lanes.reclaim(known), asked);
  }

  private List<LaneClaim> noted(List<LaneClaim> claims, long asked) {
    for (LaneClaim claim : claims) {
      leases.put(claim.lease().lane(), claim.lease());
      notes.write(NoteKind.LEASED, relay, null, tenure(claim.lease(), asked), "");
    }
    return claims;
  }

  private static LeaseRight tenure(Lease lease, long asked) {
    return new LeaseRight(lease.lane().number(), lease.epoch(), asked);
  }

  @Override
  public List<StoredEnvelope> read(List<Cursor> cursors, long bytes) {
    List<StoredEnvelope> read = noted(lanes.read(cursors, bytes));
    if (early) {
      settleUnpublished(read);
    }
    return read;
  }

  @Override
  public List<StoredEnvelope> readPast(
      List<Cursor> cursors, long bytes, Set<String> heldTopics, long reach) {
    return noted(lanes.readPast(cursors, bytes, heldTopics, reach));
  }

  @Override
  public List<StoredEnvelope> readDue(List<Cursor> cursors, long bytes, Set<String> heldTopics) {
    return noted(lanes.readDue(cursors, bytes, heldTopics));
  }

  private void settleUnpublished(List<StoredEnvelope> read) {
    Map<Lane, List<Fate>> fates = new TreeMap<>();
    for (StoredEnvelope storedEnvelope : read) {
      fates
          .computeIfAbsent(storedEnvelope.lane(), lane -> new ArrayList<>())
          .add(new Fate.Deliver(storedEnvelope));
    }
    List<Settlement> settlements = new ArrayList<>();
    fates.forEach(
        (lane, all) -> {
          Lease lease = Objects.requireNonNull(leases.get(lane));
          settlements.add(new Settlement(lease, lease.floor(), all, Settlement.After.RENEW));
        });
    lanes.settle(settlements);
  }

  private List<StoredEnvelope> noted(List<StoredEnvelope> read) {
    long now = notes.now();
    for (StoredEnvelope storedEnvelope : read) {
      Lease lease = leases.get(storedEnvelope.lane());
      if (lease != null) {
        aboard.read(storedEnvelope.envelope().id(), tenure(lease, now));
      }
    }
    return read;
  }

  @Override
  public Map<Lane, SettleResult> settle(List<Settlement> settlements) {
    long asked = notes.now();
    Map<Lane, SettleResult> settleResults = lanes.settle(settlements);
    for (Settlement settlement : settlements) {
      LeaseRight leaseRight = tenure(settlement.lease(), asked);
      if (settleResults.get(settlement.lease().lane()) instanceof SettleResult.Settled) {
        settled(settlement, leaseRight);
      } else {
        notes.write(NoteKind.FENCED, relay, null, leaseRight, "");
      }
    }
    return settleResults;
  }

  private void settled(Settlement settlement, LeaseRight leaseRight) {
    for (Fate fate : settlement.fates()) {
      Subject subject = Subject.of(fate.storedEnvelope().envelope());
      notes.write(NoteKind.SETTLED, relay, subject, leaseRight, Fates.words(fate));
      aboard.settled(subject.id());
    }
    if (settlement.after() != Settlement.After.RUN_ON) {
      boolean kept = settlement.after() == Settlement.After.RENEW;
      notes.write(kept ? NoteKind.RENEWED : NoteKind.RELEASED, relay, null, leaseRight, "");
    }
  }

  @Override
  public PendingLanes look(List<Cursor> cursors, Set<String> heldTopics) {
    return lanes.look(cursors, heldTopics);
  }

  @Override
  public int release(List<Lease> held, Set<String> heldTopics, int atMost) {
    return lanes.release(held, heldTopics, atMost);
  }

  @Override
  public int promoteDue(List<Lease> held, int atMost) {
    return lanes.promoteDue(held, atMost);
  }

  @Override
  public boolean suspect(Lease lease, StoredEnvelope message) {
    return lanes.suspect(lease, message);
  }

  @Override
  public boolean restoreSuspect(Lease lease, Suspect suspect) {
    return lanes.restoreSuspect(lease, suspect);
  }

  @Override
  public Set<Lane> locked() {
    return lanes.locked();
  }

  @Override
  public long newest(long id) {
    return lanes.newest(id);
  }

  @Override
  public long nextId() {
    return lanes.nextId();
  }

  @Override
  public GivenIds given(long next) {
    return lanes.given(next);
  }

  @Override
  public OpenTransactions openTransactions() {
    return lanes.openTransactions();
  }

  @Override
  public boolean wereOpen(Set<String> transactions) {
    return lanes.wereOpen(transactions);
  }

  @Override
  public Map<String, Setting> topics() {
    return lanes.topics();
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
