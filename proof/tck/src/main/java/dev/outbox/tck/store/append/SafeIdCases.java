package dev.outbox.tck.store.append;

import static dev.outbox.tck.fixture.Sample.unkeyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.lane.OpenTransactions;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Dose;
import dev.outbox.tck.fixture.OneLaneCases;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What the answers about writers are for: no id appears below one that was seen, once those that
 * were open then have gone.
 */
public abstract class SafeIdCases extends OneLaneCases {
  private static final long RUN = TimeUnit.SECONDS.toNanos(Dose.of(2, 4));

  /** Another client of this server may have written for long. */
  private static final long LONGEST_RUN = TimeUnit.SECONDS.toNanos(30);

  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Sighting> sightings = new ArrayList<>();
  private long highest;
  private long safe;

  protected SafeIdCases(Opener opener) {
    super(opener);
  }

  @RegisterExtension
  final KnownWritersOnly onlyWhereTheStoreCanTell =
      new KnownWritersOnly(() -> relay.openTransactions());

  @Test
  void no_id_appears_below_a_safe_one_among_short_and_long_writers() throws Exception {
    Random random = seeded("writers");
    List<Future<Integer>> writers = new ArrayList<>();
    for (int longest : List.of(100, 100, 60, 2, 2, 2)) {
      Random dice = new Random(random.nextLong());
      writers.add(Crew.start(() -> write(longest, dice)));
    }
    int read = readWhile();
    over.set(true);
    int written = 0;
    for (Future<Integer> writer : writers) {
      written += Crew.end(writer, SOON);
    }
    assertThat(safe).as("ids that became safe").isPositive();
    assertThat(read + readAll(relay).size()).isEqualTo(written);
  }

  /** Enqueues in transactions of up to {@code longest} milliseconds, and commits most of them. */
  private int write(int longest, Random dice) throws Exception {
    int written = 0;
    try (Connection connection = environment().applications().getConnection()) {
      connection.setAutoCommit(false);
      while (!over.get()) {
        store().append(connection, List.of(unkeyed("text")));
        rest(longest, dice);
        if (dice.nextInt(10) == 0) {
          connection.rollback();
        } else {
          connection.commit();
          written++;
        }
        rest(2, dice);
      }
    }
    return written;
  }

  private static void rest(int longest, Random dice) {
    LockSupport.parkNanos(dice.nextLong(TimeUnit.MILLISECONDS.toNanos(longest)));
  }

  /** Reads as a relay does that never looks below the safe id again, and settles what it read. */
  private int readWhile() {
    int read = 0;
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < (safe > 0 ? RUN : LONGEST_RUN)) {
      long safeAfterThisRead = ask();
      List<StoredEnvelope> fresh = readAll(relay);
      long seen = System.nanoTime();
      assertThat(ids(fresh)).as("below what was safe").allMatch(id -> id > safe);
      settled(settle(relay, lease, deliver(fresh)));
      read += fresh.size();
      if (safe == 0 && safeAfterThisRead > 0) {
        begun = System.nanoTime();
      }
      safe = safeAfterThisRead;
      if (!fresh.isEmpty()) {
        highest = Math.max(highest, Collections.max(ids(fresh)));
        sightings.add(new Sighting(highest, seen));
      }
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(300));
    }
    return read;
  }

  private void sight(long id) {
    if (id > highest) {
      highest = id;
      sightings.add(new Sighting(highest, System.nanoTime()));
    }
  }

  /** The highest id of which all that were open after it was seen have gone by now. */
  private long ask() {
    sight(relay.newest(highest));
    long asked = System.nanoTime();
    OpenTransactions.Known known = (OpenTransactions.Known) relay.openTransactions();
    long now = safe;
    for (Sighting sighting : sightings) {
      if (sighting.isSafe(known, asked)) {
        now = Math.max(now, sighting.highest);
      }
    }
    long reached = now;
    sightings.removeIf(sighting -> sighting.highest <= reached);
    return now;
  }

  /** The highest id at a moment, and who may still commit a lower one. */
  private static final class Sighting {
    private final long highest;
    private final long seen;
    private @Nullable Set<String> open;

    Sighting(long highest, long seen) {
      this.highest = highest;
      this.seen = seen;
    }

    boolean isSafe(OpenTransactions.Known known, long asked) {
      if (open == null && asked - seen > known.lag().toNanos()) {
        open = new HashSet<>(known.open());
      } else if (open != null) {
        open.retainAll(known.open());
      }
      return open != null && open.isEmpty();
    }
  }
}
