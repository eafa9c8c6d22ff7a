package dev.outbox.testkit.internal.store;

import dev.outbox.Snapshot;
import dev.outbox.spi.lane.Lane;
import dev.outbox.testkit.internal.tables.DeadTable;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import dev.outbox.testkit.internal.tables.ParkedTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Counts what is in an in-memory store; under the tables' monitor. */
public record InMemorySnapshot(InMemoryTables inMemoryTables) {
  public Snapshot take(long bound) {
    return new Snapshot(
        count(bound, inMemoryTables.ready.values().stream().map(InMemoryTables.Ready::lane)),
        oldest(inMemoryTables.ready.values().stream().map(InMemoryTables.Ready::writtenAt)),
        count(bound, inMemoryTables.parked.rows().stream().map(ParkedTable.Parked::lane)),
        oldest(inMemoryTables.parked.rows().stream().map(ParkedTable.Parked::due)),
        count(bound, inMemoryTables.delayed.values().stream().map(InMemoryTables.Delayed::lane)),
        count(bound, inMemoryTables.dead.rows().stream().map(DeadTable.Dead::lane)),
        lanes(),
        new InMemoryRelays(inMemoryTables).live());
  }

  private long count(long bound, Stream<Lane> rows) {
    return rows.filter(inMemoryTables::isOwn).limit(bound).count();
  }

  private @Nullable Duration oldest(Stream<@Nullable Instant> instants) {
    Instant now = inMemoryTables.now();
    return instants
        .filter(Objects::nonNull)
        .filter(instant -> !instant.isAfter(now))
        .min(Instant::compareTo)
        .map(instant -> Duration.between(instant, now))
        .orElse(null);
  }

  private List<Snapshot.OwnedLane> lanes() {
    Instant now = inMemoryTables.now();
    return inMemoryTables.lanes.stream()
        .map(row -> new Snapshot.OwnedLane(row.lane, row.until.isAfter(now) ? row.owner : null))
        .toList();
  }
}
