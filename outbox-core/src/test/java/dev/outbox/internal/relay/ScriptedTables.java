package dev.outbox.internal.relay;

import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a test put into the tables. What was settled leaves them; a parked message waits until the
 * test lets it fall due, or a release does.
 *
 * <p>Used by one thread at a time.
 */
final class ScriptedTables {
  final Map<Lane, List<StoredEnvelope>> ready = new TreeMap<>();
  final Map<Lane, List<StoredEnvelope>> due = new TreeMap<>();
  final Map<Lane, List<StoredEnvelope>> delayed = new TreeMap<>();
  final Map<Lane, List<StoredEnvelope>> withTopic = new TreeMap<>();
  final Map<Lane, Suspect> suspects = new TreeMap<>();

  List<StoredEnvelope> above(Cursor cursor) {
    return ready.getOrDefault(cursor.lane(), List.of()).stream()
        .filter(each -> each.id() > cursor.after())
        .limit(cursor.limit())
        .toList();
  }

  List<StoredEnvelope> past(Cursor cursor, Set<String> heldTopics, long reach) {
    return ready.getOrDefault(cursor.lane(), List.of()).stream()
        .filter(each -> each.id() > cursor.after() && each.id() <= cursor.after() + reach)
        .filter(each -> !heldTopics.contains(each.envelope().topic()))
        .limit(cursor.limit())
        .toList();
  }

  List<StoredEnvelope> due(Cursor cursor, Set<String> heldTopics) {
    return due.getOrDefault(cursor.lane(), List.of()).stream()
        .filter(each -> !heldTopics.contains(each.envelope().topic()))
        .limit(cursor.limit())
        .toList();
  }

  int release(List<Lane> lanes, Set<String> heldTopics, int atMost) {
    Predicate<StoredEnvelope> free = each -> !heldTopics.contains(each.envelope().topic());
    return move(withTopic, due, lanes, atMost, free);
  }

  int promote(List<Lane> lanes, int atMost) {
    return move(delayed, ready, lanes, atMost, each -> true);
  }

  private static int move(
      Map<Lane, List<StoredEnvelope>> from,
      Map<Lane, List<StoredEnvelope>> to,
      List<Lane> lanes,
      int atMost,
      Predicate<StoredEnvelope> which) {
    int moved = 0;
    for (Lane lane : lanes) {
      List<StoredEnvelope> those =
          from.getOrDefault(lane, List.of()).stream().filter(which).limit(atMost - moved).toList();
      if (!those.isEmpty()) {
        from.get(lane).removeAll(those);
        to.computeIfAbsent(lane, any -> new ArrayList<>()).addAll(those);
        moved += those.size();
      }
    }
    return moved;
  }

  void suspect(Lane lane, long id) {
    suspects.merge(
        lane,
        new Suspect(id, 1),
        (old, first) -> old.id() == id ? new Suspect(id, old.deaths() + 1) : first);
  }

  /** Returns the keys that are free now. */
  Set<HeldKey> write(Settlement settlement) {
    remove(settlement.fates());
    settlement.fates().forEach(this::park);
    if (!settlement.fates().isEmpty()) {
      suspects.remove(settlement.lease().lane());
    }
    return freed(settlement.fates());
  }

  /** All of them at once: a look through a long lane for each would take tests seconds. */
  private void remove(List<Fate> fates) {
    Map<Lane, Set<Long>> ids =
        fates.stream()
            .map(Fate::storedEnvelope)
            .collect(
                Collectors.groupingBy(
                    StoredEnvelope::lane,
                    Collectors.mapping(StoredEnvelope::id, Collectors.toSet())));
    for (Map<Lane, List<StoredEnvelope>> table : List.of(ready, due)) {
      ids.forEach(
          (lane, some) ->
              table
                  .getOrDefault(lane, new ArrayList<>())
                  .removeIf(each -> some.contains(each.id())));
    }
  }

  private void park(Fate fate) {
    StoredEnvelope storedEnvelope = fate.storedEnvelope();
    if (fate instanceof Fate.Park park && park.reason() == HoldReason.TOPIC) {
      withTopic
          .computeIfAbsent(storedEnvelope.lane(), any -> new ArrayList<>())
          .add(
              new StoredEnvelope(
                  storedEnvelope.id(),
                  storedEnvelope.lane(),
                  storedEnvelope.envelope(),
                  RetryState.NONE,
                  null));
    }
  }

  private Set<HeldKey> freed(List<Fate> fates) {
    Set<HeldKey> freed = new HashSet<>();
    for (Fate fate : fates) {
      HeldKey key = fate.storedEnvelope().holdable();
      if (fate.storedEnvelope().isParked() && !(fate instanceof Fate.Park) && key != null) {
        freed.add(key);
      }
    }
    if (!freed.isEmpty()) {
      freed.removeAll(parked());
    }
    return freed;
  }

  private Set<HeldKey> parked() {
    return List.of(due, withTopic).stream()
        .flatMap(table -> table.values().stream())
        .flatMap(Collection::stream)
        .filter(each -> each.holdable() != null)
        .map(StoredEnvelope::holdable)
        .collect(Collectors.toSet());
  }
}
