package dev.outbox.examples.chaos;

import dev.outbox.message.Lane;
import dev.outbox.store.ClusterStore;
import dev.outbox.store.Fate;
import dev.outbox.store.GivenIds;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Lease;
import dev.outbox.store.News;
import dev.outbox.store.Outcome;
import dev.outbox.store.RelayRegistry;
import dev.outbox.store.Settlement;
import dev.outbox.store.Stored;
import dev.outbox.store.TopicSetting;
import dev.outbox.store.Writers;
import dev.outbox.testkit.history.Fates;
import dev.outbox.testkit.history.Notebook;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.history.Tenure;
import dev.outbox.testkit.history.What;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Claims by lanes that write down which lanes are taken, kept, given back and lost, and which fates
 * stand.
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
      notes.write(What.LEASED, relay, null, tenure(claim.lease(), asked), "");
    }
    return claims;
  }

  private static Tenure tenure(Lease lease, long asked) {
    return new Tenure(lease.lane().number(), lease.epoch(), asked);
  }

  @Override
  public List<Stored> read(List<Cursor> cursors, long bytes) {
    List<Stored> read = noted(lanes.read(cursors, bytes));
    if (early) {
      settleUnpublished(read);
    }
    return read;
  }

  @Override
  public List<Stored> readPast(
      List<Cursor> cursors, long bytes, Set<String> heldTopics, long reach) {
    return noted(lanes.readPast(cursors, bytes, heldTopics, reach));
  }

  @Override
  public List<Stored> readDue(List<Cursor> cursors, long bytes, Set<String> heldTopics) {
    return noted(lanes.readDue(cursors, bytes, heldTopics));
  }

  private void settleUnpublished(List<Stored> read) {
    Map<Lane, List<Fate>> fates = new TreeMap<>();
    for (Stored stored : read) {
      fates.computeIfAbsent(stored.lane(), lane -> new ArrayList<>()).add(new Fate.Deliver(stored));
    }
    List<Settlement> settlements = new ArrayList<>();
    fates.forEach(
        (lane, all) -> {
          Lease lease = Objects.requireNonNull(leases.get(lane));
          settlements.add(new Settlement(lease, lease.floor(), all, Settlement.After.RENEW));
        });
    lanes.settle(settlements);
  }

  private List<Stored> noted(List<Stored> read) {
    long now = notes.now();
    for (Stored stored : read) {
      Lease lease = leases.get(stored.lane());
      if (lease != null) {
        aboard.read(stored.envelope().id(), tenure(lease, now));
      }
    }
    return read;
  }

  @Override
  public Map<Lane, Outcome> settle(List<Settlement> settlements) {
    long asked = notes.now();
    Map<Lane, Outcome> outcomes = lanes.settle(settlements);
    for (Settlement settlement : settlements) {
      Tenure tenure = tenure(settlement.lease(), asked);
      if (outcomes.get(settlement.lease().lane()) instanceof Outcome.Settled) {
        settled(settlement, tenure);
      } else {
        notes.write(What.FENCED, relay, null, tenure, "");
      }
    }
    return outcomes;
  }

  private void settled(Settlement settlement, Tenure tenure) {
    for (Fate fate : settlement.fates()) {
      Subject subject = Subject.of(fate.stored().envelope());
      notes.write(What.SETTLED, relay, subject, tenure, Fates.words(fate));
      aboard.settled(subject.id());
    }
    if (settlement.after() != Settlement.After.RUN_ON) {
      boolean kept = settlement.after() == Settlement.After.RENEW;
      notes.write(kept ? What.RENEWED : What.RELEASED, relay, null, tenure, "");
    }
  }

  @Override
  public News look(List<Cursor> cursors, Set<String> heldTopics) {
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
  public boolean suspect(Lease lease, Stored message) {
    return lanes.suspect(lease, message);
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
  public Writers writers() {
    return lanes.writers();
  }

  @Override
  public Map<String, TopicSetting> topics() {
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
