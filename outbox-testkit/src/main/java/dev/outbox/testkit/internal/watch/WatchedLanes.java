package dev.outbox.testkit.internal.watch;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.LiveRelay;
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
import dev.outbox.testkit.internal.intercept.InterceptedLanes;
import dev.outbox.testkit.internal.intercept.StoreCall;
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
final class WatchedLanes extends InterceptedLanes {
  private final String who;
  private final Steps steps;
  private final Notebook notes;

  WatchedLanes(String who, LaneStore lanes, Steps steps, Notebook notes) {
    super(lanes);
    this.who = who;
    this.steps = steps;
    this.notes = notes;
  }

  @Override
  protected <T> T around(StoreCall call, Supplier<T> effect) {
    return switch (call) {
      case LOOK -> steps.take(who, CrashPoint.LOOK, "", effect::get);
      case READ_DUE -> steps.take(who, CrashPoint.READ, "due", effect::get);
      case RELEASE -> steps.take(who, CrashPoint.RELEASE, "", effect::get);
      case PROMOTE -> steps.take(who, CrashPoint.PROMOTE, "", effect::get);
      case SUSPECT -> steps.take(who, CrashPoint.SUSPECT, "", effect::get);
      case ASK -> {
        steps.requireAlive(who);
        yield effect.get();
      }
      // these are steps of their own below
      case CLAIM, CLAIM_DUE, READ, SETTLE -> effect.get();
    };
  }

  @Override
  public List<LaneClaim> claim(int atMost, Set<Lane> known) {
    return claim("at most " + atMost, () -> super.claim(atMost, known));
  }

  @Override
  public List<LaneClaim> reclaim(Set<Lane> known) {
    return claim("own but %d known".formatted(known.size()), () -> super.reclaim(known));
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
  public List<StoredEnvelope> read(List<Cursor> cursors, long bytes) {
    String detail = cursors.size() + " lanes";
    return steps.take(who, CrashPoint.READ, detail, () -> super.read(cursors, bytes));
  }

  @Override
  public List<StoredEnvelope> readPast(
      List<Cursor> cursors, long bytes, Set<String> heldTopics, long reach) {
    String detail = "%d lanes past %s".formatted(cursors.size(), heldTopics);
    return steps.take(
        who, CrashPoint.READ, detail, () -> super.readPast(cursors, bytes, heldTopics, reach));
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
          Map<Lane, SettleResult> settleResults = super.settle(settlements);
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
  public RelayRegistry registry() {
    return new WatchedRegistry(who, super.registry(), steps);
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
