package dev.outbox.jdbc.internal.ids;

import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.message.Place;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.KeyQuery;
import dev.outbox.jdbc.sql.SettleStatement;
import dev.outbox.store.HeldKey;
import dev.outbox.store.Stored;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds messages whose id is taken: another message holds it in the table that they would move to.
 * That happens when the database gives ids again, as after TRUNCATE or a dump. It asks only after a
 * statement of its session has failed for such an id. What has to be parked gets another id, with
 * all that follows it in its key; what would be archived is not.
 *
 * <p>Used by one thread.
 */
public final class TakenIds {
  private static final Logger log = LoggerFactory.getLogger(TakenIds.class);

  private final Sql sql;
  private final LaneQueries queries;
  private boolean found;
  private boolean logged;

  public TakenIds(Sql sql, LaneQueries queries) {
    this.sql = sql;
    this.queries = queries;
  }

  /**
   * True when {@code failure} is the first that came from a taken id: the work can be done again.
   */
  public boolean foundBy(RuntimeException failure) {
    Faults faults = Faults.behind(failure, sql.dialect());
    boolean first = !found && faults != null && faults.fault() == Fault.DUPLICATE;
    found |= first;
    return first;
  }

  /** The other ids of those among the ready {@code parks} that cannot keep their own. */
  public Map<Place, Long> otherIds(Handle handle, List<Stored> parks) {
    List<Place> places = parks.stream().map(Place::of).toList();
    Set<Place> taken = taken(handle, sql.statements().keys(SettleStatement.TAKEN_PARKED), places);
    Map<Integer, Long> last = new HashMap<>();
    Set<HeldKey> moved = new HashSet<>();
    Map<Place, Long> others = new HashMap<>();
    for (Stored stored : taken.isEmpty() ? List.<Stored>of() : ascending(parks)) {
      Place place = Place.of(stored);
      HeldKey key = stored.holdable();
      if (taken.contains(place) || moved.contains(key)) {
        last.computeIfAbsent(place.lane(), lane -> last(handle, lane, places));
        others.put(place, last.merge(place.lane(), 1L, Long::sum));
        if (key != null) {
          moved.add(key);
        }
      }
    }
    return others;
  }

  private static List<Stored> ascending(List<Stored> parks) {
    return parks.stream()
        .sorted(Comparator.comparing(Stored::lane).thenComparing(Stored::id))
        .toList();
  }

  /** The highest id that is parked in the lane, or about to be. */
  private long last(Handle handle, int lane, List<Place> places) {
    long parked =
        sql.query(
                handle,
                "SELECT MAX(id) AS id FROM {parked} WHERE lane = :lane",
                Map.of("lane", lane),
                (row, context) -> row.getLong("id"))
            .get(0);
    long parking =
        places.stream().filter(place -> place.lane() == lane).mapToLong(Place::id).max().orElse(0);
    return Math.max(parked, parking);
  }

  /** Those that the archive has no place for. */
  public Set<Place> inArchive(Handle handle, Collection<Place> places) {
    Set<Place> taken = taken(handle, sql.statements().keys(SettleStatement.TAKEN_ARCHIVE), places);
    if (!taken.isEmpty() && !logged) {
      logged = true;
      log.warn(
          "{} delivered messages are not archived, and neither are later ones like them: the archive has"
              + " other messages with their ids. The doctor's finding ids-behind names the remedy",
          taken.size());
    }
    return taken;
  }

  private Set<Place> taken(Handle handle, KeyQuery query, Collection<Place> places) {
    if (!found || places.isEmpty()) {
      return Set.of();
    }
    List<Map<String, Object>> asked = places.stream().map(Place::values).toList();
    return queries.ofKeys(handle, query, asked, Map.of(), (row, context) -> Place.of(row)).stream()
        .collect(Collectors.toSet());
  }
}
