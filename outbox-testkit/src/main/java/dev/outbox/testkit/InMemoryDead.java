package dev.outbox.testkit;

import dev.outbox.store.DeadLetter;
import dev.outbox.store.DeadStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The dead letters of an in-memory store. */
final class InMemoryDead implements DeadStore {
  private final Tables tables;

  InMemoryDead(Tables tables) {
    this.tables = tables;
  }

  @Override
  public List<DeadLetter> page(long after, int limit) {
    synchronized (tables) {
      return tables.dead.tailMap(after, false).values().stream()
          .limit(limit)
          .map(Tables.Dead::letter)
          .toList();
    }
  }

  @Override
  public long count(long bound) {
    synchronized (tables) {
      return Math.min(bound, tables.dead.size());
    }
  }

  @Override
  public int replay(List<Long> numbers) {
    synchronized (tables) {
      List<Tables.Dead> letters = take(new TreeSet<>(numbers).stream());
      letters.forEach(dead -> tables.append(dead.lane(), dead.letter().envelope()));
      return letters.size();
    }
  }

  @Override
  public int discard(List<Long> numbers) {
    synchronized (tables) {
      return take(numbers.stream()).size();
    }
  }

  @Override
  public int purge(Duration retention, int atMost) {
    synchronized (tables) {
      Instant limit = tables.now().minus(retention);
      List<Long> old =
          tables.dead.values().stream()
              .map(Tables.Dead::letter)
              .filter(letter -> letter.diedAt().isBefore(limit))
              .limit(atMost)
              .map(DeadLetter::number)
              .toList();
      return take(old.stream()).size();
    }
  }

  private List<Tables.Dead> take(Stream<Long> numbers) {
    return numbers.map(tables.dead::remove).filter(Objects::nonNull).toList();
  }
}
