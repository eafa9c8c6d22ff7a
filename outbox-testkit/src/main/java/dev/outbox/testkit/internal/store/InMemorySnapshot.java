package dev.outbox.testkit.internal.store;

import dev.outbox.Claiming;
import dev.outbox.Snapshot;
import dev.outbox.Snapshot.Depth;
import dev.outbox.message.Envelope;
import dev.outbox.spi.lane.Lane;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import dev.outbox.testkit.internal.tables.ParkedTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Counts what is in an in-memory store; under the tables' monitor. */
public record InMemorySnapshot(InMemoryTables inMemoryTables) {
  public Snapshot take(long bound) {
    return Snapshot.of(
        topics(bound),
        inMemoryTables.topics,
        oldest(inMemoryTables.ready.values().stream().map(InMemoryTables.Ready::writtenAt)),
        oldest(inMemoryTables.parked.rows().stream().map(ParkedTable.Parked::due)),
        lanes(),
        new InMemoryRelays(inMemoryTables).live());
  }

  private Map<String, Depth> topics(long bound) {
    Map<String, Depth> topics = new TreeMap<>();
    count(
        bound,
        inMemoryTables.ready.values().stream().map(row -> new Row(row.lane(), row.envelope())),
        count -> new Depth(count, 0, 0, 0),
        topics);
    count(
        bound,
        inMemoryTables.parked.rows().stream().map(row -> new Row(row.lane(), row.envelope())),
        count -> new Depth(0, count, 0, 0),
        topics);
    count(
        bound,
        inMemoryTables.delayed.values().stream().map(row -> new Row(row.lane(), row.envelope())),
        count -> new Depth(0, 0, count, 0),
        topics);
    count(
        bound,
        inMemoryTables.dead.rows().stream()
            .map(row -> new Row(row.lane(), row.letter().envelope())),
        count -> new Depth(0, 0, 0, count),
        topics);
    return topics;
  }

  /** What counts of a row of any table. */
  private record Row(Lane lane, Envelope envelope) {}

  private void count(
      long bound, Stream<Row> rows, LongFunction<Depth> depth, Map<String, Depth> topics) {
    rows.filter(row -> inMemoryTables.isOwn(row.lane()))
        .limit(bound)
        .forEach(row -> topics.merge(row.envelope().topic(), depth.apply(1), Depth::plus));
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
    if (inMemoryTables.layout.claiming() == Claiming.ROWS) {
      return List.of();
    }
    Instant now = inMemoryTables.now();
    return inMemoryTables.lanes.stream()
        .map(row -> new Snapshot.OwnedLane(row.lane, row.until.isAfter(now) ? row.owner : null))
        .toList();
  }
}
