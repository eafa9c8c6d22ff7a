package dev.outbox.testkit.internal.store;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.testkit.internal.tables.DeadTable;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The dead letters of an in-memory store, for operators. */
public final class InMemoryDead implements DeadStore {
  private final InMemoryTables inMemoryTables;

  public InMemoryDead(InMemoryTables inMemoryTables) {
    this.inMemoryTables = inMemoryTables;
  }

  @Override
  public List<DeadLetter> page(Filter filter, long after, int limit) {
    synchronized (inMemoryTables) {
      return above(after).filter(fits(filter)).limit(limit).toList();
    }
  }

  @Override
  public long count(Filter filter, long bound) {
    synchronized (inMemoryTables) {
      return above(0).filter(fits(filter)).limit(bound).count();
    }
  }

  /** Those of this cluster. */
  private Stream<DeadLetter> above(long number) {
    return inMemoryTables
        .dead
        .above(number)
        .filter(dead -> inMemoryTables.isOwn(dead.lane()))
        .map(DeadTable.Dead::letter);
  }

  private Predicate<DeadLetter> fits(Filter filter) {
    Duration age = filter.olderThan();
    Instant latest = age == null ? Instant.MAX : inMemoryTables.now().minus(age);
    return letter ->
        fits(filter.topic(), letter.envelope().topic())
            && fits(filter.key(), letter.envelope().key())
            && fits(filter.reason(), letter.reason())
            && !letter.deadSince().isAfter(latest)
            && tells(letter.error(), filter.error())
            && (filter.upTo() == null || letter.number() <= filter.upTo());
  }

  private static boolean tells(String error, @Nullable String part) {
    return part == null || error.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
  }

  private static boolean fits(@Nullable Object wanted, @Nullable Object actual) {
    return wanted == null || wanted.equals(actual);
  }

  @Override
  public int replay(List<DeadLetter.Id> letters) {
    synchronized (inMemoryTables) {
      Stream<DeadLetter.Id> ordered =
          letters.stream().sorted(Comparator.comparingLong(DeadLetter.Id::number));
      List<DeadTable.Dead> replayed = take(ordered);
      replayed.forEach(inMemoryTables::replay);
      wakeBehind(replayed);
      return replayed.size();
    }
  }

  @Override
  public int discard(List<DeadLetter.Id> letters) {
    synchronized (inMemoryTables) {
      List<DeadTable.Dead> discarded = take(letters.stream());
      wakeBehind(discarded);
      return discarded.size();
    }
  }

  private void wakeBehind(List<DeadTable.Dead> letters) {
    for (DeadTable.Dead dead : letters) {
      HeldKey key = dead.holds();
      if (key != null) {
        inMemoryTables.parked.wakeFirst(key, inMemoryTables.now());
      }
    }
  }

  @Override
  public int purge(Duration retention, int atMost) {
    synchronized (inMemoryTables) {
      Instant limit = inMemoryTables.now().minus(retention);
      List<DeadLetter.Id> old =
          inMemoryTables
              .dead
              .above(0)
              .map(DeadTable.Dead::letter)
              .filter(letter -> !letter.holdsKey() && letter.deadSince().isBefore(limit))
              .limit(atMost)
              .map(DeadLetter::id)
              .toList();
      return take(old.stream()).size();
    }
  }

  private List<DeadTable.Dead> take(Stream<DeadLetter.Id> letters) {
    return letters.map(inMemoryTables.dead::remove).filter(Objects::nonNull).toList();
  }
}
