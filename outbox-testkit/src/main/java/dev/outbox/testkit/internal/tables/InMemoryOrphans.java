package dev.outbox.testkit.internal.tables;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.spi.cluster.ClusterStore.Extent;
import dev.outbox.spi.cluster.ClusterStore.Orphan;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The messages that are in the lanes of other clusters, to be taken from there. Asked under the
 * monitor of their tables.
 */
record InMemoryOrphans(InMemoryTables inMemoryTables) {
  private record Noted(InMemoryClusters.Place place, MessageId message) {
    static Noted of(InMemoryClusters.Note note) {
      return new Noted(note.place(), note.message());
    }
  }

  List<Orphan> upTo(Lane from, Extent extent, int atMost) {
    synchronized (inMemoryTables) {
      Instant now = inMemoryTables.now();
      Set<Noted> noted = inMemoryTables.notes.stream().map(Noted::of).collect(Collectors.toSet());
      Stream<Orphan> parked =
          inMemoryTables.parked.rows().stream()
              .filter(row -> isToTake(row.lane(), row.id(), false, row.envelope(), from, noted))
              .filter(row -> !isHeld(row))
              .map(row -> new Orphan(row.id(), false));
      Stream<Orphan> ready =
          inMemoryTables.ready.values().stream()
              .filter(row -> isToTake(row.lane(), row.id(), false, row.envelope(), from, noted))
              .filter(row -> !isHeld(row))
              .map(row -> new Orphan(row.id(), false));
      Stream<Orphan> due =
          inMemoryTables.delayed.values().stream()
              .filter(row -> isToTake(row.lane(), row.id(), true, row.envelope(), from, noted))
              .filter(row -> !row.due().isAfter(now) && !isHeld(row))
              .sorted(
                  Comparator.comparing(InMemoryTables.Delayed::due)
                      .thenComparing(InMemoryTables.Delayed::id))
              .map(row -> new Orphan(row.id(), true));
      return Stream.of(parked, ready, due)
          .flatMap(each -> each)
          .filter(extent::reaches)
          .limit(atMost)
          .toList();
    }
  }

  Extent extent(Lane from) {
    synchronized (inMemoryTables) {
      Instant now = inMemoryTables.now();
      LongStream ready =
          inMemoryTables.ready.values().stream()
              .filter(row -> row.lane().equals(from))
              .mapToLong(InMemoryTables.Ready::id);
      LongStream parked =
          inMemoryTables.parked.rows().stream()
              .filter(row -> row.lane().equals(from))
              .mapToLong(ParkedTable.Parked::id);
      LongStream due =
          inMemoryTables.delayed.values().stream()
              .filter(row -> row.lane().equals(from) && !row.due().isAfter(now))
              .mapToLong(InMemoryTables.Delayed::id);
      return new Extent(LongStream.concat(ready, parked).max().orElse(0), due.max().orElse(0));
    }
  }

  private static boolean isToTake(
      Lane lane, long id, boolean delayed, Envelope envelope, Lane from, Set<Noted> noted) {
    return lane.equals(from)
        && !noted.contains(new Noted(new InMemoryClusters.Place(lane, id, delayed), envelope.id()));
  }

  /** It is promoted to its own id: behind all that is dead. */
  private boolean isHeld(InMemoryTables.Delayed row) {
    Key key = row.envelope().key();
    return key != null
        && inMemoryTables.dead.holds(new HeldKey(row.lane(), row.envelope().topic(), key));
  }

  private boolean isHeld(ParkedTable.Parked row) {
    return row.heldKey() != null
        && inMemoryTables.dead.holdsBack(Objects.requireNonNull(row.heldKey()), row.id());
  }

  private boolean isHeld(InMemoryTables.Ready row) {
    var key = inMemoryTables.stored(row).holdable();
    return key != null && inMemoryTables.dead.holdsBack(key, row.id());
  }
}
