package dev.outbox.internal.relay;

import dev.outbox.message.Lane;
import dev.outbox.store.Fate;
import dev.outbox.store.HeldKey;
import dev.outbox.store.HoldReason;
import dev.outbox.store.LaneStore.Cursor;
import dev.outbox.store.Parking;
import dev.outbox.store.Settlement;
import dev.outbox.store.Stored;
import dev.outbox.store.Suspect;
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
 * What a test put into the tables. What was settled leaves them; a parked message rests until the
 * test lets it fall due, or a release does.
 *
 * <p>Used by one thread at a time.
 */
final class ScriptedTables {
  final Map<Lane, List<Stored>> ready = new TreeMap<>();
  final Map<Lane, List<Stored>> due = new TreeMap<>();
  final Map<Lane, List<Stored>> delayed = new TreeMap<>();
  final Map<Lane, List<Stored>> withTopic = new TreeMap<>();
  final Map<Lane, Suspect> suspects = new TreeMap<>();

  List<Stored> above(Cursor cursor) {
    return ready.getOrDefault(cursor.lane(), List.of()).stream()
        .filter(each -> each.id() > cursor.after())
        .limit(cursor.limit())
        .toList();
  }

  List<Stored> past(Cursor cursor, Set<String> heldTopics, long reach) {
    return ready.getOrDefault(cursor.lane(), List.of()).stream()
        .filter(each -> each.id() > cursor.after() && each.id() <= cursor.after() + reach)
        .filter(each -> !heldTopics.contains(each.envelope().topic()))
        .limit(cursor.limit())
        .toList();
  }

  List<Stored> due(Cursor cursor, Set<String> heldTopics) {
    return due.getOrDefault(cursor.lane(), List.of()).stream()
        .filter(each -> !heldTopics.contains(each.envelope().topic()))
        .limit(cursor.limit())
        .toList();
  }

  int release(List<Lane> lanes, Set<String> heldTopics, int atMost) {
    Predicate<Stored> free = each -> !heldTopics.contains(each.envelope().topic());
    return move(withTopic, due, lanes, atMost, free);
  }

  int promote(List<Lane> lanes, int atMost) {
    return move(delayed, ready, lanes, atMost, each -> true);
  }

  private static int move(
      Map<Lane, List<Stored>> from,
      Map<Lane, List<Stored>> to,
      List<Lane> lanes,
      int atMost,
      Predicate<Stored> which) {
    int moved = 0;
    for (Lane lane : lanes) {
      List<Stored> those =
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
            .map(Fate::stored)
            .collect(
                Collectors.groupingBy(
                    Stored::lane, Collectors.mapping(Stored::id, Collectors.toSet())));
    for (Map<Lane, List<Stored>> table : List.of(ready, due)) {
      ids.forEach(
          (lane, some) ->
              table
                  .getOrDefault(lane, new ArrayList<>())
                  .removeIf(each -> some.contains(each.id())));
    }
  }

  private void park(Fate fate) {
    Stored stored = fate.stored();
    if (fate instanceof Fate.Park park && park.reason() == HoldReason.TOPIC) {
      withTopic
          .computeIfAbsent(stored.lane(), any -> new ArrayList<>())
          .add(new Stored(stored.id(), stored.lane(), stored.envelope(), Parking.NONE, null));
    }
  }

  private Set<HeldKey> freed(List<Fate> fates) {
    Set<HeldKey> freed = new HashSet<>();
    for (Fate fate : fates) {
      HeldKey key = fate.stored().holdable();
      if (fate.stored().isParked() && !(fate instanceof Fate.Park) && key != null) {
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
        .map(Stored::holdable)
        .collect(Collectors.toSet());
  }
}
