package dev.outbox.testkit;

import dev.outbox.store.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Counts what is in an in-memory store; under the tables' monitor. */
record InMemorySnapshot(Tables tables) {
  Snapshot take(long bound) {
    return new Snapshot(
        Math.min(bound, tables.ready.size()),
        oldest(tables.ready.values().stream().map(Tables.Ready::writtenAt)),
        Math.min(bound, tables.parked.size()),
        oldest(tables.parked.rows().stream().map(ParkedTable.Parked::due)),
        Math.min(bound, tables.delayed.size()),
        Math.min(bound, tables.dead.size()),
        lanes(),
        new InMemoryRelays(tables).live());
  }

  private @Nullable Duration oldest(Stream<@Nullable Instant> instants) {
    Instant now = tables.now();
    return instants
        .filter(Objects::nonNull)
        .filter(instant -> !instant.isAfter(now))
        .min(Instant::compareTo)
        .map(instant -> Duration.between(instant, now))
        .orElse(null);
  }

  private List<Snapshot.OwnedLane> lanes() {
    Instant now = tables.now();
    return tables.lanes.stream()
        .map(row -> new Snapshot.OwnedLane(row.lane, row.until.isAfter(now) ? row.owner : null))
        .toList();
  }
}
