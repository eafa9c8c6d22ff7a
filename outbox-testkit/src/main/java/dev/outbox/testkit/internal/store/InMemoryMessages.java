package dev.outbox.testkit.internal.store;

import dev.outbox.DeadLetter;
import dev.outbox.Messages.Found;
import dev.outbox.Messages.Place;
import dev.outbox.Messages.Retrying;
import dev.outbox.message.MessageId;
import dev.outbox.spi.MessageStore;
import dev.outbox.testkit.internal.tables.ArchiveTable.Archived;
import dev.outbox.testkit.internal.tables.DeadTable;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import dev.outbox.testkit.internal.tables.ParkedTable.Parked;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Single messages of an in-memory store. */
public final class InMemoryMessages implements MessageStore {
  private final InMemoryTables inMemoryTables;

  public InMemoryMessages(InMemoryTables inMemoryTables) {
    this.inMemoryTables = inMemoryTables;
  }

  @Override
  public List<Found> waiting(MessageId id) {
    synchronized (inMemoryTables) {
      Stream<Found> ready =
          inMemoryTables.ready.values().stream()
              .map(row -> new Found(Place.READY, row.envelope(), row.writtenAt()));
      Stream<Found> parked = inMemoryTables.parked.rows().stream().map(InMemoryMessages::parked);
      Stream<Found> delayed =
          inMemoryTables.delayed.values().stream()
              .map(row -> new Found(Place.DELAYED, row.envelope(), row.due()));
      return of(id, Stream.concat(ready, Stream.concat(parked, delayed)));
    }
  }

  private static Found parked(Parked row) {
    return new Found(
        Place.PARKED,
        row.envelope(),
        row.due(),
        row.reason().name(),
        row.attempts(),
        row.error(),
        null);
  }

  @Override
  public List<Found> ended(MessageId id, Instant from, Instant to) {
    synchronized (inMemoryTables) {
      Stream<Found> dead =
          inMemoryTables
              .dead
              .above(0)
              .filter(row -> inMemoryTables.isOwn(row.lane()))
              .map(DeadTable.Dead::letter)
              .filter(each -> !each.deadSince().isBefore(from) && each.deadSince().isBefore(to))
              .map(InMemoryMessages::dead);
      Stream<Found> archived =
          inMemoryTables.archive.completed(from, to).stream()
              .map(row -> new Found(Place.ARCHIVED, row.envelope(), row.completedAt()));
      return of(id, Stream.concat(dead, archived));
    }
  }

  private static Found dead(DeadLetter letter) {
    return new Found(
        Place.DEAD,
        letter.envelope(),
        letter.deadSince(),
        letter.reason().name(),
        letter.attempts(),
        letter.error(),
        letter.id());
  }

  private static List<Found> of(MessageId id, Stream<Found> all) {
    return all.filter(found -> found.envelope().id().equals(id)).toList();
  }

  @Override
  public List<Retrying> retrying(@Nullable String topic, int atMost) {
    synchronized (inMemoryTables) {
      return inMemoryTables.parked.rows().stream()
          .filter(row -> row.due() != null && row.attempts() > 0)
          .filter(row -> topic == null || topic.equals(row.envelope().topic()))
          .map(InMemoryMessages::retrying)
          .sorted(Comparator.comparing(Retrying::nextTry))
          .limit(atMost)
          .toList();
    }
  }

  private static Retrying retrying(Parked row) {
    return new Retrying(
        row.envelope().id(),
        row.envelope().topic(),
        row.envelope().key(),
        row.attempts(),
        Objects.requireNonNull(row.due()),
        row.error());
  }

  @Override
  public boolean cancel(MessageId id) {
    synchronized (inMemoryTables) {
      return inMemoryTables
          .delayed
          .values()
          .removeIf(row -> row.envelope().id().equals(id) && inMemoryTables.isOwn(row.lane()));
    }
  }

  @Override
  public Portion publishAgain(String topic, Instant after, Instant to, int atMost) {
    synchronized (inMemoryTables) {
      List<Archived> left =
          inMemoryTables.archive.completed(after, to).stream()
              .filter(row -> row.completedAt().isAfter(after))
              .filter(row -> row.envelope().topic().equals(topic))
              .filter(row -> inMemoryTables.isOwn(row.lane()))
              .toList();
      if (left.isEmpty()) {
        return new Portion(0, after);
      }
      Instant upTo = left.get(Math.min(atMost, left.size()) - 1).completedAt();
      List<Archived> portion =
          left.stream().filter(row -> !row.completedAt().isAfter(upTo)).toList();
      portion.forEach(row -> inMemoryTables.append(row.lane(), row.envelope()));
      inMemoryTables.notifyAll();
      return new Portion(portion.size(), upTo);
    }
  }
}
