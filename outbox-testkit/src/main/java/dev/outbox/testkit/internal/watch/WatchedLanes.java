package dev.outbox.testkit.internal.watch;

import dev.outbox.Topics.Setting;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.lane.GivenIds;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.LiveRelay;
import dev.outbox.spi.lane.OpenTransactions;
import dev.outbox.spi.lane.PendingLanes;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.history.Fates;
import dev.outbox.testkit.history.LeaseRight;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Notebook;
import dev.outbox.testkit.history.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Claims by lanes, each call a step; what was leased, settled and fenced is noted.
 *
 * <p>Used by one thread.
 */
final class WatchedLanes implements LaneStore {
  private final String who;
  private final LaneStore lanes;
  private final Steps steps;
  private final Notebook notes;

  WatchedLanes(String who, LaneStore lanes, Steps steps, Notebook notes) {
    this.who = who;
    this.lanes = lanes;
    this.steps = steps;
    this.notes = notes;
  }

  @Override
  public List<LaneClaim> claim(int atMost, Set<Lane> known) {
    return claim("at most " + atMost, () -> lanes.claim(atMost, known));
  }

  @Override
  public List<LaneClaim> reclaim(Set<Lane> known) {
    return claim("own but %d known".formatted(known.size()), () -> lanes.reclaim(known));
  }

  private List<LaneClaim> claim(String what, Supplier<List<LaneClaim>> claiming) {
    long asked = notes.now();
    return steps.take(
        who,
        CrashPoint.CLAIM,
        what,
        () -> {
          List<LaneClaim> claims = claiming.get();
          claims.forEach(
              claim ->
                  notes.write(
                      NoteKind.LEASED, who, null, tenure(claim.lease(), asked), takeovers(claim)));
          return claims;
        });
  }

  private static String takeovers(LaneClaim claim) {
    return claim.takeovers() == 0 ? "" : "takeover " + claim.takeovers();
  }

  private static LeaseRight tenure(Lease lease, long asked) {
    return new LeaseRight(lease.lane().number(), lease.epoch(), asked);
  }

  @Override
  public PendingLanes look(List<Cursor> cursors, Set<String> heldTopics) {
    return steps.take(who, CrashPoint.LOOK, "", () -> lanes.look(cursors, heldTopics));
  }

  @Override
  public List<StoredEnvelope> read(List<Cursor> cursors, long bytes) {
    String detail = cursors.size() + " lanes";
    return steps.take(who, CrashPoint.READ, detail, () -> lanes.read(cursors, bytes));
  }

  @Override
  public List<StoredEnvelope> readPast(
      List<Cursor> cursors, long bytes, Set<String> heldTopics, long reach) {
    String detail = "%d lanes past %s".formatted(cursors.size(), heldTopics);
    return steps.take(
        who, CrashPoint.READ, detail, () -> lanes.readPast(cursors, bytes, heldTopics, reach));
  }

  @Override
  public List<StoredEnvelope> readDue(List<Cursor> cursors, long bytes, Set<String> heldTopics) {
    return steps.take(who, CrashPoint.READ, "due", () -> lanes.readDue(cursors, bytes, heldTopics));
  }

  @Override
  public int release(List<Lease> asked, Set<String> heldTopics, int atMost) {
    return steps.take(who, CrashPoint.RELEASE, "", () -> lanes.release(asked, heldTopics, atMost));
  }

  @Override
  public int promoteDue(List<Lease> leases, int atMost) {
    return steps.take(who, CrashPoint.PROMOTE, "", () -> lanes.promoteDue(leases, atMost));
  }

  @Override
  public boolean suspect(Lease lease, StoredEnvelope message) {
    return steps.take(who, CrashPoint.SUSPECT, "", () -> lanes.suspect(lease, message));
  }

  @Override
  public Map<Lane, SettleResult> settle(List<Settlement> settlements) {
    long asked = notes.now();
    List<Fate> fates = settlements.stream().flatMap(each -> each.fates().stream()).toList();
    return steps.take(
        who,
        point(fates),
        fates.size() + " fates",
        () -> {
          Map<Lane, SettleResult> settleResults = lanes.settle(settlements);
          settlements.forEach(each -> note(each, settleResults.get(each.lease().lane()), asked));
          return settleResults;
        });
  }

  private static CrashPoint point(List<Fate> fates) {
    if (fates.isEmpty()) {
      return CrashPoint.RENEW;
    }
    boolean moves = fates.stream().anyMatch(fate -> !(fate instanceof Fate.Deliver));
    return moves ? CrashPoint.MOVE : CrashPoint.SETTLE;
  }

  private void note(Settlement settlement, @Nullable SettleResult settleResult, long asked) {
    LeaseRight leaseRight = tenure(settlement.lease(), asked);
    if (!(settleResult instanceof SettleResult.Settled)) {
      notes.write(NoteKind.FENCED, who, null, leaseRight, "");
      return;
    }
    for (Fate fate : settlement.fates()) {
      Subject subject = Subject.of(fate.storedEnvelope().envelope());
      notes.write(NoteKind.SETTLED, who, subject, leaseRight, Fates.words(fate));
    }
  }

  @Override
  public long newest(long id) {
    steps.requireAlive(who);
    return lanes.newest(id);
  }

  @Override
  public long nextId() {
    steps.requireAlive(who);
    return lanes.nextId();
  }

  @Override
  public GivenIds given(long next) {
    steps.requireAlive(who);
    return lanes.given(next);
  }

  @Override
  public OpenTransactions openTransactions() {
    steps.requireAlive(who);
    return lanes.openTransactions();
  }

  @Override
  public Map<String, Setting> topics() {
    steps.requireAlive(who);
    return lanes.topics();
  }

  @Override
  public RelayRegistry registry() {
    return new WatchedRegistry(who, lanes.registry(), steps);
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

  /** The registry over a relay's session, each word of life a step. */
  record WatchedRegistry(String who, RelayRegistry registry, Steps steps) implements RelayRegistry {
    @Override
    public List<LiveRelay> beat(String relay, Duration lifetime, boolean sharing) {
      return steps.take(who, CrashPoint.BEAT, "", () -> registry.beat(relay, lifetime, sharing));
    }

    @Override
    public List<LiveRelay> live() {
      steps.requireAlive(who);
      return registry.live();
    }

    @Override
    public void leave(String relay) {
      steps.run(who, CrashPoint.BEAT, "leaves", () -> registry.leave(relay));
    }
  }
}
