package dev.outbox.testkit.mutants;

import dev.outbox.Claiming;
import dev.outbox.message.MessageId;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.PendingLanes;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.SettableClock;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.crash.TestWorld;
import dev.outbox.testkit.internal.intercept.InterceptedLanes;
import dev.outbox.testkit.internal.intercept.InterceptedStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** A world in memory, whose store is wrong in one way. */
final class BrokenStore implements TestWorld {
  private final SettableClock clock = SettableClock.create();
  private final InMemoryStore store;
  private final Flaw flaw;
  private final Map<Lane, Lease> latest = new HashMap<>();
  private final Map<Lane, Long> last = new HashMap<>();

  /** What is wrong with it. */
  enum Flaw {
    NONE,
    /** Settles whoever asks, whatever the epoch. */
    UNFENCED_SETTLE,
    /** Never reads below the last id that was settled. */
    LAST_ID_CURSOR,
    /** Reads below the last id that was settled only when it sweeps. */
    TIGHT_FLOOR,
    /** One of the relays claims by rows. */
    LANES_AND_ROWS,
    /** Settles what has the lane and the id, whatever message that is. */
    SETTLE_BY_ID,
    /** Shows no relay again what it has settled as delivered, though it has come back. */
    ONCE_FOR_EACH_RELAY
  }

  BrokenStore(int lanes, Flaw flaw) {
    this.store = InMemoryStore.builder().clock(clock).lanes(lanes).build();
    this.flaw = flaw;
  }

  @Override
  public OutboxStore store(String who, Steps steps) {
    Layout layout = store.layout();
    boolean byRows = flaw == Flaw.LANES_AND_ROWS && who.startsWith("relay-B");
    return steps.watch(
        who,
        new InterceptedStore(store) {
          @Override
          public LaneStore lanes(String owner, Duration lease) {
            return new BrokenLanes(super.lanes(owner, lease));
          }

          @Override
          public Layout layout() {
            return byRows ? new Layout(layout.schemaVersion(), 1, Claiming.ROWS) : layout;
          }
        });
  }

  private final class BrokenLanes extends InterceptedLanes {
    private final LaneStore lanes;
    private final Set<MessageId> delivered = new HashSet<>();

    BrokenLanes(LaneStore lanes) {
      super(lanes);
      this.lanes = lanes;
    }

    @Override
    public List<LaneClaim> claim(int atMost, Set<Lane> known) {
      return remembered(super.claim(atMost, known));
    }

    @Override
    public List<LaneClaim> reclaim(Set<Lane> known) {
      return remembered(super.reclaim(known));
    }

    @Override
    public List<StoredEnvelope> read(List<Cursor> cursors, long bytes) {
      return super.read(
          cursors.stream().map(this::aboveDelivered).map(BrokenStore.this::cursor).toList(), bytes);
    }

    @Override
    public PendingLanes look(List<Cursor> cursors, Set<String> heldTopics) {
      return super.look(cursors.stream().map(this::aboveDelivered).toList(), heldTopics);
    }

    private Cursor aboveDelivered(Cursor cursor) {
      if (delivered.isEmpty()) {
        return cursor;
      }
      long after = cursor.after();
      Cursor all = new Cursor(cursor.lane(), after, Integer.MAX_VALUE);
      for (StoredEnvelope each : lanes.read(List.of(all), Long.MAX_VALUE)) {
        if (!delivered.contains(each.envelope().id())) {
          break;
        }
        after = each.id();
      }
      return new Cursor(cursor.lane(), after, cursor.limit());
    }

    @Override
    public Map<Lane, SettleResult> settle(List<Settlement> settlements) {
      List<Settlement> wrong =
          settlements.stream()
              .map(BrokenStore.this::unfenced)
              .map(each -> byId(lanes, each))
              .toList();
      wrong.forEach(BrokenStore.this::remember);
      Map<Lane, SettleResult> results = super.settle(wrong);
      wrong.stream()
          .filter(each -> flaw == Flaw.ONCE_FOR_EACH_RELAY)
          .filter(each -> !(results.get(each.lease().lane()) instanceof SettleResult.Fenced))
          .forEach(each -> delivered.addAll(delivered(each)));
      return results;
    }
  }

  private List<LaneClaim> remembered(List<LaneClaim> claims) {
    claims.forEach(claim -> latest.put(claim.lease().lane(), claim.lease()));
    return claims;
  }

  private Settlement unfenced(Settlement settlement) {
    Lease lease = latest.get(settlement.lease().lane());
    return flaw != Flaw.UNFENCED_SETTLE || lease == null
        ? settlement
        : new Settlement(lease, settlement.floor(), settlement.fates(), settlement.after());
  }

  private Settlement byId(LaneStore lanes, Settlement settlement) {
    if (flaw != Flaw.SETTLE_BY_ID) {
      return settlement;
    }
    List<Fate> fates =
        settlement.fates().stream()
            .map(fate -> of(fate, there(lanes, fate.storedEnvelope())))
            .toList();
    return new Settlement(settlement.lease(), settlement.floor(), fates, settlement.after());
  }

  /** What has the id of {@code stored} by now. */
  private static StoredEnvelope there(LaneStore lanes, StoredEnvelope storedEnvelope) {
    LaneStore.Cursor cursor =
        new LaneStore.Cursor(storedEnvelope.lane(), storedEnvelope.id() - 1, 1);
    return lanes.read(List.of(cursor), Long.MAX_VALUE).stream()
        .filter(other -> other.id() == storedEnvelope.id() && !storedEnvelope.isParked())
        .findFirst()
        .orElse(storedEnvelope);
  }

  private static Fate of(Fate fate, StoredEnvelope storedEnvelope) {
    if (fate instanceof Fate.Park park) {
      return new Fate.Park(
          storedEnvelope,
          park.reason(),
          park.attempts(),
          park.rest(),
          park.error(),
          park.history());
    }
    return fate instanceof Fate.Bury bury
        ? new Fate.Bury(
            storedEnvelope,
            bury.reason(),
            bury.error(),
            bury.attempts(),
            bury.history(),
            bury.holdsKey())
        : new Fate.Deliver(storedEnvelope);
  }

  private static List<MessageId> delivered(Settlement settlement) {
    return settlement.fates().stream()
        .filter(Fate.Deliver.class::isInstance)
        .map(fate -> fate.storedEnvelope().envelope().id())
        .toList();
  }

  private void remember(Settlement settlement) {
    for (Fate fate : settlement.fates()) {
      if (!fate.storedEnvelope().isParked()) {
        last.merge(settlement.lease().lane(), fate.storedEnvelope().id(), Math::max);
      }
    }
  }

  private LaneStore.Cursor cursor(LaneStore.Cursor cursor) {
    boolean raised =
        flaw == Flaw.LAST_ID_CURSOR || (flaw == Flaw.TIGHT_FLOOR && cursor.after() > 0);
    long after = raised ? last.getOrDefault(cursor.lane(), 0L) : 0;
    return new LaneStore.Cursor(cursor.lane(), Math.max(after, cursor.after()), cursor.limit());
  }

  @Override
  public DataSource applications(String who, Steps steps) {
    return store.dataSource();
  }

  @Override
  public void passTime(Duration step) {
    clock.advance(step);
  }

  @Override
  public Past remember() {
    return store.copy()::restore;
  }

  @Override
  public void close() {}
}
