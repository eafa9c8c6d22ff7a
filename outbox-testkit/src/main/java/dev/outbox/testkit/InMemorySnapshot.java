package dev.outbox.testkit;

import dev.outbox.message.Lane;
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
        count(bound, tables.ready.values().stream().map(Tables.Ready::lane)),
        oldest(tables.ready.values().stream().map(Tables.Ready::writtenAt)),
        count(bound, tables.parked.rows().stream().map(ParkedTable.Parked::lane)),
        oldest(tables.parked.rows().stream().map(ParkedTable.Parked::due)),
        count(bound, tables.delayed.values().stream().map(Tables.Delayed::lane)),
        count(bound, tables.dead.rows().stream().map(DeadTable.Dead::lane)),
        lanes(),
        new InMemoryRelays(tables).live());
  }

  private long count(long bound, Stream<Lane> rows) {
    return rows.filter(tables::isOwn).limit(bound).count();
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
