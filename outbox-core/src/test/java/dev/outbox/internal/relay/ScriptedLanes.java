package dev.outbox.internal.relay;

import dev.outbox.StoreException;
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
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A session that gives what a test put in, writes what it is told and notes what it was asked.
 *
 * <p>Used by one thread at a time.
 */
public final class ScriptedLanes implements LaneStore, RelayRegistry {
  private final ScriptedTables tables = new ScriptedTables();
  final Map<Lane, List<StoredEnvelope>> ready = tables.ready;
  public final Map<Lane, List<StoredEnvelope>> due = tables.due;
  public final Map<Lane, List<StoredEnvelope>> delayed = tables.delayed;
  final Map<Lane, Suspect> suspects = tables.suspects;
  public final Deque<LaneClaim> free = new ArrayDeque<>();
  final List<LiveRelay> others = new ArrayList<>();
  final Set<Lane> fenced = new HashSet<>();
  public Map<String, Setting> settings = Map.of();
  public OpenTransactions openTransactions = new OpenTransactions.Unknown();

  /** Those of them whose end a read is known not to have seen. */
  public Set<String> openToReads = Set.of();

  /** The id of a message that stands far behind those that are read. */
  public long newest;

  /** The id that the next message gets, and what is shown of those that were given. */
  public long next = UNTOLD;

  public GivenIds given = GivenIds.NONE;

  /** How many ids writers take while the tables are looked at. */
  public int writing;

  /** Runs before it is told what was given. */
  public Runnable askingGiven = () -> {};

  /** What asking for the newest message does first. */
  public Runnable askingNewest = () -> {};

  /** Lanes whose own rows others keep locked. */
  final Set<Lane> locked = new HashSet<>();

  /** What happens while such a row is waited for. */
  Runnable waiting = () -> {};

  public final List<Asked> asked = new ArrayList<>();
  final List<Cursor> cursors = new ArrayList<>();
  public final List<Settlement> settlements = new ArrayList<>();

  /** How many messages of every settlement with fates are not found. */
  int gone;

  /** A call with a settlement with fates of one of these lanes is refused. */
  public final Set<Lane> refused = new HashSet<>();

  public StoreException refusal = StoreException.lasting("value too long for a column", null);

  /** What happens while the refused settlement is under way. */
  Runnable refusing = () -> {};

  /** What happens when a settlement was written. */
  Consumer<Settlement> written = each -> {};

  /** What happens while a settlement is written. */
  Runnable writingEnds = () -> {};

  /** What happens while the relay says that it lives. */
  Runnable beating = () -> {};

  /** What happens while delayed messages are promoted. */
  Runnable promoting = () -> {};

  /** What happens while ready messages are read. */
  public Runnable reading = () -> {};

  /** What happens while lanes are looked through or read from their cursors on. */
  Consumer<List<Cursor>> wading = cursors -> {};

  /** What happens while ready messages are read past held topics, up to a reach. */
  public LongConsumer readingPast = reach -> {};

  /** What happens before a question is answered: its name, and the lanes that it is about. */
  BiConsumer<String, List<?>> hearing = (what, of) -> {};

  /** The question to which nobody answers. */
  volatile @Nullable public String unheard;

  /** How often it was asked. */
  int timesUnheard;

  /** The question whose next answer is lost. */
  @Nullable String losing;

  /** What was claimed without an answer, as it can be claimed again. */
  final List<LaneClaim> lost = new ArrayList<>();

  private final Map<Lane, LaneClaim> owned = new LinkedHashMap<>();

  private final int number;

  /** One question: its name, and the lanes or the message that it was about. */
  public record Asked(String what, List<?> of) {}

  public ScriptedLanes(int number) {
    this.number = number;
    for (int lane = 0; lane < number; lane++) {
      free.add(claim(new Lane(lane), 0, null));
    }
  }

  public static LaneClaim claim(Lane lane, int takeovers, @Nullable Suspect suspect) {
    return new LaneClaim(new Lease(lane, "test", 1, 0), Set.of(), takeovers, suspect);
  }

  int number() {
    return number;
  }

  /** Puts ready messages into their lanes. */
  public void put(StoredEnvelope... messages) {
    for (StoredEnvelope each : messages) {
      ready.computeIfAbsent(each.lane(), lane -> new ArrayList<>()).add(each);
    }
  }

  /** What every question of this name was about. */
  public List<List<?>> asked(String what) {
    return asked.stream().filter(each -> each.what().equals(what)).<List<?>>map(Asked::of).toList();
  }

  private void note(String what, List<?> of) {
    if (what.equals(unheard)) {
      timesUnheard++;
      throw StoreException.passing("no answer to " + what, null);
    }
    asked.add(new Asked(what, of));
    hearing.accept(what, of);
  }

  private static List<Lane> lanes(List<Cursor> cursors) {
    return cursors.stream().map(Cursor::lane).toList();
  }

  @Override
  public List<LaneClaim> claim(int atMost, Set<Lane> known) {
    note("claim", List.of(atMost));
    List<LaneClaim> claims = new ArrayList<>();
    while (claims.size() < atMost && !free.isEmpty()) {
      claims.add(free.remove());
    }
    if ("claim".equals(losing)) {
      claims.forEach(each -> lost.add(again(each)));
      loseAnswer();
    }
    claims.forEach(each -> owned.put(each.lease().lane(), each));
    return claims;
  }

  private void failWhereLocked(Lane lane) {
    if (locked.contains(lane)) {
      waiting.run();
      throw StoreException.contended("another session has locked a lane", null);
    }
  }

  private void loseAnswer() {
    String lost = losing;
    losing = null;
    throw StoreException.passing("the answer to " + lost + " was lost", null);
  }

  private LaneClaim again(LaneClaim claim) {
    Lease lease = claim.lease();
    return new LaneClaim(
        new Lease(lease.lane(), lease.owner(), lease.epoch() + 1, lease.floor()),
        claim.held(),
        claim.takeovers(),
        suspects.get(lease.lane()));
  }

  @Override
  public List<LaneClaim> reclaim(Set<Lane> known) {
    note("reclaim", known.stream().sorted().toList());
    List<LaneClaim> claims = new ArrayList<>();
    lost.stream().filter(each -> !known.contains(each.lease().lane())).forEach(claims::add);
    lost.clear();
    owned.values().stream()
        .filter(each -> !known.contains(each.lease().lane()))
        .filter(each -> !fenced.contains(each.lease().lane()))
        .filter(each -> !locked.contains(each.lease().lane()))
        .forEach(each -> claims.add(again(each)));
    claims.forEach(each -> owned.put(each.lease().lane(), each));
    return claims;
  }

  @Override
  public PendingLanes look(List<Cursor> cursors, Set<String> heldTopics) {
    note("look", lanes(cursors));
    wading.accept(cursors);
    return new PendingLanes(
        having(cursors, each -> !tables.above(each).isEmpty()),
        having(cursors, each -> !tables.due(each, heldTopics).isEmpty()),
        having(cursors, each -> !delayed.getOrDefault(each.lane(), List.of()).isEmpty()),
        free.size());
  }

  private static Set<Lane> having(List<Cursor> cursors, Predicate<Cursor> something) {
    return cursors.stream().filter(something).map(Cursor::lane).collect(Collectors.toSet());
  }

  @Override
  public List<StoredEnvelope> read(List<Cursor> cursors, long bytes) {
    note("read", lanes(cursors));
    reading.run();
    wading.accept(cursors);
    this.cursors.addAll(cursors);
    return bounded(cursors.stream().flatMap(cursor -> tables.above(cursor).stream()), bytes);
  }

  @Override
  public List<StoredEnvelope> readPast(
      List<Cursor> cursors, long bytes, Set<String> heldTopics, long reach) {
    readingPast.accept(reach);
    note(heldTopics.isEmpty() ? "sweep" : "readPast", lanes(cursors));
    this.cursors.addAll(cursors);
    return cursors.stream()
        .flatMap(cursor -> tables.past(cursor, heldTopics, reach).stream())
        .toList();
  }

  @Override
  public List<StoredEnvelope> readDue(List<Cursor> cursors, long bytes, Set<String> heldTopics) {
    note("readDue", lanes(cursors));
    return cursors.stream().flatMap(cursor -> tables.due(cursor, heldTopics).stream()).toList();
  }

  /** The first message always, then what fits; what follows in a lane that was cut is left. */
  private static List<StoredEnvelope> bounded(Stream<StoredEnvelope> read, long bytes) {
    List<StoredEnvelope> fitting = new ArrayList<>();
    Set<Lane> cut = new HashSet<>();
    long left = bytes;
    for (StoredEnvelope each : read.toList()) {
      int size = each.envelope().payload().bytes().length;
      if (cut.contains(each.lane()) || (!fitting.isEmpty() && size > left)) {
        cut.add(each.lane());
      } else {
        fitting.add(each);
        left -= size;
      }
    }
    return fitting;
  }

  @Override
  public int release(List<Lease> leases, Set<String> heldTopics, int atMost) {
    List<Lane> lanes = leases.stream().map(Lease::lane).toList();
    note("release", lanes);
    lanes.forEach(this::failWhereLocked);
    return tables.release(lanes, heldTopics, atMost);
  }

  @Override
  public int promoteDue(List<Lease> leases, int atMost) {
    List<Lane> lanes = leases.stream().map(Lease::lane).toList();
    note("promote", lanes);
    promoting.run();
    lanes.forEach(this::failWhereLocked);
    return tables.promote(lanes, atMost);
  }

  @Override
  public Map<Lane, SettleResult> settle(List<Settlement> all) {
    note("settle", all.stream().map(each -> each.lease().lane()).toList());
    all.forEach(each -> failWhereLocked(each.lease().lane()));
    if (all.stream()
        .anyMatch(each -> refused.contains(each.lease().lane()) && !each.fates().isEmpty())) {
      refusing.run();
      throw refusal;
    }
    writingEnds.run();
    Map<Lane, SettleResult> settleResults = new HashMap<>();
    for (Settlement each : all) {
      Lane lane = each.lease().lane();
      if (fenced.contains(lane)) {
        settleResults.put(lane, new SettleResult.Fenced());
      } else {
        settlements.add(each);
        written.accept(each);
        if (each.after() == Settlement.After.RELEASE) {
          owned.remove(lane);
        }
        int missing = each.fates().isEmpty() ? 0 : gone;
        settleResults.put(lane, new SettleResult.Settled(tables.write(each), missing));
      }
    }
    return settleResults;
  }

  @Override
  public boolean suspect(Lease lease, StoredEnvelope message) {
    note("suspect", List.of(message.id()));
    failWhereLocked(lease.lane());
    if (fenced.contains(lease.lane())) {
      return false;
    }
    tables.suspect(lease.lane(), message.id());
    if ("suspect".equals(losing)) {
      loseAnswer();
    }
    return true;
  }

  @Override
  public boolean restoreSuspect(Lease lease, Suspect suspect) {
    note("restoreSuspect", List.of(suspect.id()));
    failWhereLocked(lease.lane());
    Suspect noted = suspects.get(lease.lane());
    if (fenced.contains(lease.lane()) || noted == null || noted.id() != suspect.id()) {
      return false;
    }
    suspects.computeIfPresent(lease.lane(), (lane, old) -> suspect.deaths() > 0 ? suspect : null);
    return true;
  }

  @Override
  public Set<Lane> locked() {
    note("locked", locked.stream().sorted().toList());
    return Set.copyOf(locked);
  }

  @Override
  public long newest(long id) {
    askingNewest.run();
    return Math.max(id, newest);
  }

  @Override
  public long nextId() {
    if (next != UNTOLD) {
      note("next", List.of());
    }
    return next;
  }

  @Override
  public GivenIds given(long next) {
    note("given", List.of(next));
    askingGiven.run();
    this.next = this.next == UNTOLD ? UNTOLD : this.next + writing;
    return given;
  }

  @Override
  public OpenTransactions openTransactions() {
    note("writers", List.of());
    return openTransactions;
  }

  @Override
  public boolean wereOpen(Set<String> transactions) {
    note("open", List.of());
    return openToReads.containsAll(transactions);
  }

  @Override
  public Map<String, Setting> topics() {
    note("topics", List.of());
    return settings;
  }

  @Override
  public RelayRegistry registry() {
    return this;
  }

  @Override
  public ClusterStore clusters() {
    throw new UnsupportedOperationException("there is one cluster");
  }

  @Override
  public List<LiveRelay> beat(String relay, Duration lifetime, boolean sharing) {
    note("beat", List.of(sharing));
    beating.run();
    List<LiveRelay> live = new ArrayList<>(others);
    live.add(new LiveRelay(relay, sharing, Samples.START));
    return live;
  }

  @Override
  public List<LiveRelay> live() {
    return List.copyOf(others);
  }

  @Override
  public void leave(String relay) {
    note("leave", List.of(relay));
  }

  @Override
  public void abort() {}

  @Override
  public void close() {}
}
