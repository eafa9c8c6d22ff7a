package dev.outbox.testkit.mutants;

import dev.outbox.Claiming;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.SettableClock;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.crash.TestWorld;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

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
    SETTLE_BY_ID
  }

  /** What a wrapper does in place of a method. */
  private interface Deed {
    @Nullable Object instead(@Nullable Object[] arguments);
  }

  BrokenStore(int lanes, Flaw flaw) {
    this.store = InMemoryStore.builder().clock(clock).lanes(lanes).build();
    this.flaw = flaw;
  }

  @Override
  public OutboxStore store(String who, Steps steps) {
    Map<String, Deed> deeds = new HashMap<>();
    deeds.put("lanes", given -> lanes(store.lanes((String) given[0], (Duration) given[1])));
    if (flaw == Flaw.LANES_AND_ROWS && who.startsWith("relay-B")) {
      Layout layout = store.layout();
      deeds.put("layout", given -> new Layout(layout.schemaVersion(), 1, Claiming.ROWS));
    }
    return steps.watch(who, wrap(OutboxStore.class, store, deeds));
  }

  private LaneStore lanes(LaneStore lanes) {
    Map<String, Deed> deeds = new HashMap<>();
    deeds.put("claim", given -> remembered(lanes.claim((Integer) given[0], known(given[1]))));
    deeds.put("reclaim", given -> remembered(lanes.reclaim(known(given[0]))));
    deeds.put("read", given -> lanes.read(cursors(given[0]), (Long) given[1]));
    deeds.put(
        "settle",
        given -> {
          List<Settlement> settlements =
              settlements(given[0]).stream().map(each -> byId(lanes, each)).toList();
          settlements.forEach(this::remember);
          return lanes.settle(settlements);
        });
    return wrap(LaneStore.class, lanes, deeds);
  }

  private List<LaneClaim> remembered(List<LaneClaim> claims) {
    claims.forEach(claim -> latest.put(claim.lease().lane(), claim.lease()));
    return claims;
  }

  private static Set<Lane> known(@Nullable Object given) {
    return ((Set<?>) Objects.requireNonNull(given))
        .stream().map(Lane.class::cast).collect(Collectors.toSet());
  }

  private List<Settlement> settlements(@Nullable Object given) {
    return list(Settlement.class, given).stream().map(this::unfenced).toList();
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

  private void remember(Settlement settlement) {
    for (Fate fate : settlement.fates()) {
      if (!fate.storedEnvelope().isParked()) {
        last.merge(settlement.lease().lane(), fate.storedEnvelope().id(), Math::max);
      }
    }
  }

  private List<LaneStore.Cursor> cursors(@Nullable Object given) {
    return list(LaneStore.Cursor.class, given).stream().map(this::cursor).toList();
  }

  private LaneStore.Cursor cursor(LaneStore.Cursor cursor) {
    boolean raised =
        flaw == Flaw.LAST_ID_CURSOR || (flaw == Flaw.TIGHT_FLOOR && cursor.after() > 0);
    long after = raised ? last.getOrDefault(cursor.lane(), 0L) : 0;
    return new LaneStore.Cursor(cursor.lane(), Math.max(after, cursor.after()), cursor.limit());
  }

  private static <T> List<T> list(Class<T> type, @Nullable Object given) {
    return ((List<?>) Objects.requireNonNull(given)).stream().map(type::cast).toList();
  }

  private static <T> T wrap(Class<T> type, T inner, Map<String, Deed> deeds) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Deed deed = deeds.get(method.getName());
              return deed == null ? call(inner, method, arguments) : deed.instead(arguments);
            }));
  }

  private static @Nullable Object call(
      Object inner, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(inner, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
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
