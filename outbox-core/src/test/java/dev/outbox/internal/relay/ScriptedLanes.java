package dev.outbox.internal.relay;

import dev.outbox.message.Lane;
import dev.outbox.store.Fate;
import dev.outbox.store.HeldKey;
import dev.outbox.store.HoldReason;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Lease;
import dev.outbox.store.LiveRelay;
import dev.outbox.store.News;
import dev.outbox.store.Outcome;
import dev.outbox.store.Parking;
import dev.outbox.store.RelayRegistry;
import dev.outbox.store.Settlement;
import dev.outbox.store.StoreException;
import dev.outbox.store.Stored;
import dev.outbox.store.Suspect;
import dev.outbox.store.TopicSetting;
import dev.outbox.store.Writers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A session that gives what a test put in, writes what it is told and notes what it was asked.
 *
 * <p>Used by one thread at a time. What was settled leaves its table; a parked message rests until
 * the test lets it fall due, or a release does.
 */
final class ScriptedLanes implements LaneStore, RelayRegistry {
  final Map<Lane, List<Stored>> ready = new TreeMap<>();
  final Map<Lane, List<Stored>> due = new TreeMap<>();
  final Map<Lane, List<Stored>> delayed = new TreeMap<>();
  final Map<Lane, List<Stored>> withTopic = new TreeMap<>();
  final Deque<LaneClaim> free = new ArrayDeque<>();
  final List<LiveRelay> others = new ArrayList<>();
  final Set<Lane> fenced = new HashSet<>();
  Map<String, TopicSetting> settings = Map.of();
  Writers writers = new Writers.Unknown();

  final List<Asked> asked = new ArrayList<>();
  final List<Settlement> settlements = new ArrayList<>();

  /** A settlement with fates of this lane is refused. */
  @Nullable Lane refused;

  StoreException refusal = StoreException.lasting("value too long for a column", null);

  /** While set, nothing is answered. */
  @Nullable StoreException outage;

  private final int number;

  /** One question: its name, and the lanes or the message that it was about. */
  record Asked(String what, List<?> of) {}

  ScriptedLanes(int number) {
    this.number = number;
    for (int lane = 0; lane < number; lane++) {
      free.add(claim(new Lane(lane), 0, null));
    }
  }

  static LaneClaim claim(Lane lane, int takeovers, @Nullable Suspect suspect) {
    return new LaneClaim(new Lease(lane, "test", 1, 0), Set.of(), takeovers, suspect);
  }

  int number() {
    return number;
  }

  /** Puts ready messages into their lanes. */
  void put(Stored... messages) {
    for (Stored each : messages) {
      ready.computeIfAbsent(each.lane(), lane -> new ArrayList<>()).add(each);
    }
  }

  /** The lanes that were asked about by every question of this name, one list each. */
  List<List<?>> asked(String what) {
    return asked.stream().filter(each -> each.what().equals(what)).<List<?>>map(Asked::of).toList();
  }

  private void note(String what, List<?> of) {
    if (outage != null) {
      throw outage;
    }
    asked.add(new Asked(what, of));
  }

  private static List<Lane> lanes(List<Cursor> cursors) {
    return cursors.stream().map(Cursor::lane).toList();
  }

  @Override
  public List<LaneClaim> claim(int atMost) {
    note("claim", List.of(atMost));
    List<LaneClaim> claims = new ArrayList<>();
    while (claims.size() < atMost && !free.isEmpty()) {
      claims.add(free.remove());
    }
    return claims;
  }

  @Override
  public News look(List<Cursor> cursors, Set<String> heldTopics) {
    note("look", lanes(cursors));
    Set<Lane> withReady =
        cursors.stream()
            .filter(cursor -> !above(cursor).isEmpty())
            .map(Cursor::lane)
            .collect(Collectors.toSet());
    List<Lane> lanes = lanes(cursors);
    return new News(
        withReady, filled(due, lanes, heldTopics), filled(delayed, lanes, Set.of()), free.size());
  }

  private List<Stored> above(Cursor cursor) {
    return ready.getOrDefault(cursor.lane(), List.of()).stream()
        .filter(each -> each.id() > cursor.after())
        .toList();
  }

  private static Set<Lane> filled(
      Map<Lane, List<Stored>> table, List<Lane> lanes, Set<String> heldTopics) {
    return lanes.stream()
        .filter(
            lane ->
                table.getOrDefault(lane, List.of()).stream()
                    .anyMatch(each -> !heldTopics.contains(each.envelope().topic())))
        .collect(Collectors.toSet());
  }

  @Override
  public List<Stored> read(List<Cursor> cursors, long bytes) {
    note("read", lanes(cursors));
    return cursors.stream()
        .flatMap(cursor -> above(cursor).stream().limit(cursor.limit()))
        .toList();
  }

  @Override
  public List<Stored> readDue(List<Cursor> cursors, long bytes, Set<String> heldTopics) {
    note("readDue", lanes(cursors));
    return cursors.stream()
        .flatMap(
            cursor ->
                due.getOrDefault(cursor.lane(), List.of()).stream()
                    .filter(each -> !heldTopics.contains(each.envelope().topic()))
                    .limit(cursor.limit()))
        .toList();
  }

  @Override
  public int release(List<Lane> lanes, Set<String> heldTopics, int atMost) {
    note("release", lanes);
    return move(withTopic, due, lanes, each -> !heldTopics.contains(each.envelope().topic()));
  }

  @Override
  public int promoteDue(List<Lease> leases, int atMost) {
    List<Lane> lanes = leases.stream().map(Lease::lane).toList();
    note("promote", lanes);
    return move(delayed, ready, lanes, each -> true);
  }

  private static int move(
      Map<Lane, List<Stored>> from,
      Map<Lane, List<Stored>> to,
      List<Lane> lanes,
      Predicate<Stored> which) {
    int moved = 0;
    for (Lane lane : lanes) {
      List<Stored> those = from.getOrDefault(lane, List.of()).stream().filter(which).toList();
      if (!those.isEmpty()) {
        from.get(lane).removeAll(those);
        to.computeIfAbsent(lane, any -> new ArrayList<>()).addAll(those);
        moved += those.size();
      }
    }
    return moved;
  }

  @Override
  public Map<Lane, Outcome> settle(List<Settlement> written) {
    note("settle", written.stream().map(each -> each.lease().lane()).toList());
    if (written.stream()
        .anyMatch(each -> each.lease().lane().equals(refused) && !each.fates().isEmpty())) {
      throw refusal;
    }
    Map<Lane, Outcome> outcomes = new HashMap<>();
    for (Settlement each : written) {
      Lane lane = each.lease().lane();
      if (fenced.contains(lane)) {
        outcomes.put(lane, new Outcome.Fenced());
      } else {
        settlements.add(each);
        each.fates().forEach(this::write);
        outcomes.put(lane, new Outcome.Settled(freed(each.fates()), 0));
      }
    }
    return outcomes;
  }

  private void write(Fate fate) {
    Stored stored = fate.stored();
    Lane lane = stored.lane();
    for (Map<Lane, List<Stored>> table : List.of(ready, due)) {
      table.getOrDefault(lane, new ArrayList<>()).removeIf(each -> each.id() == stored.id());
    }
    if (fate instanceof Fate.Park park && park.reason() == HoldReason.TOPIC) {
      withTopic
          .computeIfAbsent(lane, any -> new ArrayList<>())
          .add(new Stored(stored.id(), lane, stored.envelope(), Parking.NONE, null));
    }
  }

  private Set<HeldKey> freed(List<Fate> fates) {
    return fates.stream()
        .filter(fate -> fate.stored().isParked() && !(fate instanceof Fate.Park))
        .map(fate -> fate.stored().holdable())
        .filter(
            key ->
                key != null
                    && List.of(due, withTopic).stream()
                        .flatMap(table -> table.values().stream())
                        .flatMap(Collection::stream)
                        .noneMatch(each -> key.equals(each.holdable())))
        .collect(Collectors.toSet());
  }

  @Override
  public boolean suspect(Lease lease, long id) {
    note("suspect", List.of(id));
    return !fenced.contains(lease.lane());
  }

  @Override
  public Writers writers() {
    note("writers", List.of());
    return writers;
  }

  @Override
  public Map<String, TopicSetting> topics() {
    note("topics", List.of());
    return settings;
  }

  @Override
  public RelayRegistry registry() {
    return this;
  }

  @Override
  public List<LiveRelay> beat(String relay, Duration lifetime, boolean sharing) {
    note("beat", List.of(sharing));
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
