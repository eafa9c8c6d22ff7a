package dev.outbox.internal.relay.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.ScriptedLanes;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.base.Visible;
import dev.outbox.internal.relay.read.VisibleIds;
import dev.outbox.spi.lane.OpenTransactions;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * A relay that reads above its floor, among writers that take their ids long before they commit:
 * the floor must pass no message that becomes visible later.
 */
class SafeFloorTest {
  private static final Duration GRACE = Duration.ofSeconds(2);

  @Nested
  class The_counterexample {
    @Test
    void a_floor_at_the_last_settled_id_loses_a_lower_one_that_is_committed_later() {
      Lane lane = new Lane(Long.MAX_VALUE);
      play(lane);

      assertThat(lane.lost()).containsExactly(1L);
    }

    @Test
    void a_floor_below_the_horizon_does_not() {
      Lane lane = new Lane(null);
      play(lane);

      assertThat(lane.lost()).isEmpty();
      assertThat(lane.delivered).containsExactly(2L, 1L);
    }

    private void play(Lane lane) {
      String slow = lane.begin(5000);
      String quick = lane.begin(5000);
      lane.commit(quick);
      lane.relay();
      lane.pass(150);
      lane.relay();
      lane.commit(slow);
      lane.pass(150);
      lane.relay();
    }
  }

  @Test
  void the_exact_floor_loses_nothing_among_any_writers_and_stays_close() {
    for (long seed = 0; seed < 60; seed++) {
      Lane lane = new Lane(null);
      run(lane, new Random(seed), 4000);

      assertThat(lane.lost()).as("seed %d", seed).isEmpty();
      assertThat(lane.floor.get()).as("floor of seed %d", seed).isEqualTo(lane.ids);
    }
  }

  @Test
  void reads_above_the_floor_lose_nothing_and_no_message_overtakes_an_earlier_one() {
    int above = 0;
    int ended = 0;
    for (long seed = 0; seed < 200; seed++) {
      Lane lane = new Lane(null);
      commitAfterReads(lane, seed);

      assertThat(lane.lost()).as("seed %d", seed).isEmpty();
      assertThat(lane.overtaken()).as("seed %d", seed).isEmpty();
      assertThat(lane.floor.get()).as("floor of seed %d", seed).isEqualTo(lane.ids);
      above += lane.readsAbove;
      ended += lane.writersEnded;
    }
    assertThat(above).as("reads above a floor").isGreaterThan(1000);
    assertThat(ended).as("ends of lasting writers").isGreaterThan(100);
  }

  @Test
  void a_store_that_takes_a_writer_for_open_that_a_read_saw_end_is_caught_by_the_same_runs() {
    int overtaken = 0;
    for (long seed = 0; seed < 200; seed++) {
      Lane lane = new Lane(null);
      lane.blind = true;
      commitAfterReads(lane, seed);
      overtaken += lane.overtaken().size();
    }

    assertThat(overtaken).isPositive();
  }

  /** Some commit between a read and the question whether they were open to it. */
  private static void commitAfterReads(Lane lane, long seed) {
    Random random = new Random(seed);
    lane.afterRead =
        () -> {
          lane.pass(random.nextInt(3));
          lane.commitTheDue();
        };
    run(lane, new Random(seed), 4000);
  }

  @Test
  void what_the_database_tells_may_be_a_little_old() {
    for (long seed = 0; seed < 60; seed++) {
      Lane lane = new Lane(null);
      lane.lag = Duration.ofMillis(200);
      run(lane, new Random(seed), 4000);

      assertThat(lane.lost()).as("seed %d", seed).isEmpty();
      assertThat(lane.floor.get()).as("floor of seed %d", seed).isEqualTo(lane.ids);
    }
  }

  @Test
  void the_grace_loses_nothing_of_writers_that_keep_it() {
    for (long seed = 0; seed < 60; seed++) {
      Lane lane = new Lane(null);
      lane.tells = false;
      run(lane, new Random(seed), (int) GRACE.toMillis());

      assertThat(lane.lost()).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void a_writer_longer_than_the_grace_is_found_late_by_the_sweep() {
    Lane lane = new Lane(null);
    lane.tells = false;
    String slow = lane.begin(10_000);
    lane.commit(lane.begin(1));
    lane.relay();
    lane.pass(3000);
    lane.commit(lane.begin(1));
    lane.relay();
    lane.commit(slow);
    lane.relay();
    assertThat(lane.lost()).containsExactly(1L);

    lane.floor.sweepFrom(0);
    lane.relay();

    assertThat(lane.lost()).isEmpty();
    assertThat(lane.late).isEqualTo(1);
  }

  @Test
  void the_tight_floor_is_caught_by_the_same_runs() {
    long lost = 0;
    for (long seed = 0; seed < 60; seed++) {
      Lane lane = new Lane(Long.MAX_VALUE);
      run(lane, new Random(seed), 4000);
      lost += lane.lost().size();
    }

    assertThat(lost).isPositive();
  }

  /** Writers that overlap all the time, then an end in which all of them commit. */
  private static void run(Lane lane, Random random, int longest) {
    for (int step = 0; step < 400; step++) {
      if (random.nextInt(3) > 0) {
        lane.begin(1 + random.nextInt(random.nextInt(20) == 0 ? longest : 50));
      }
      lane.pass(random.nextInt(40));
      lane.commitTheDue();
      if (random.nextBoolean()) {
        lane.relay();
      }
    }
    for (int step = 0; step < 100; step++) {
      lane.pass(100);
      lane.commitTheDue();
      lane.relay();
    }
  }

  /** One lane, its writers and its relay, on one clock. */
  private static final class Lane {
    private final @Nullable Long tight;
    private final ScriptedLanes store = new ScriptedLanes(1);
    private final VisibleIds visibleIds =
        new VisibleIds(store, GRACE, Ticker.of(() -> Samples.START), this::lastingEnded);
    private final LaneFloor floor = new LaneFloor(0);
    private final TreeMap<Long, Transaction> transactions = new TreeMap<>();
    private final Set<Long> visible = new HashSet<>();
    private final List<Long> delivered = new ArrayList<>();
    private final Set<String> begun = new HashSet<>();
    private final Map<Long, Integer> step = new HashMap<>();
    private final Map<Long, Integer> committed = new HashMap<>();
    private Runnable afterRead = () -> {};
    private boolean blind;
    private int readsAbove;
    private int writersEnded;
    private int steps;
    private Duration lag = Duration.ZERO;
    private boolean tells = true;
    private long ids;
    private long now;
    private int late;

    /** With a {@code tight} bound the floor believes that all ids up to there are visible. */
    Lane(@Nullable Long tight) {
      this.tight = tight;
    }

    private record Transaction(String name, long id, long began, long ends) {}

    private void lastingEnded(long id) {
      floor.lowerClear(id);
      writersEnded++;
    }

    String begin(long length) {
      Transaction begun = new Transaction("tx" + ids, ++ids, now, now + length);
      transactions.put(begun.id(), begun);
      this.begun.add(begun.name());
      step.put(begun.id(), ++steps);
      return begun.name();
    }

    void commit(String name) {
      transactions.values().stream()
          .filter(each -> each.name().equals(name))
          .map(Transaction::id)
          .forEach(
              id -> {
                visible.add(id);
                committed.put(id, ++steps);
              });
      transactions.values().removeIf(each -> each.name().equals(name));
    }

    void commitTheDue() {
      List.copyOf(transactions.values()).stream()
          .filter(each -> each.ends() <= now)
          .forEach(each -> commit(each.name()));
    }

    void pass(long millis) {
      now += millis;
    }

    void relay() {
      store.openTransactions =
          tells ? new OpenTransactions.Known(open(), lag) : new OpenTransactions.Unknown();
      visibleIds.look(moment());
      Visible seen = tight == null ? visibleIds.visible() : new Visible(tight, tight);
      readsAbove += floor.cursor() > floor.get() ? 1 : 0;
      List<StoredEnvelope> read =
          visible.stream()
              .filter(id -> id > floor.cursor())
              .sorted()
              .limit(20)
              .map(id -> Samples.ready(id, null))
              .toList();
      afterRead.run();
      store.openToReads = blind ? begun : open();
      if (!visibleIds.wasClear()) {
        return;
      }
      if (read.isEmpty()) {
        floor.empty(seen);
      } else {
        late += floor.read(read, seen);
      }
      read.stream()
          .mapToLong(StoredEnvelope::id)
          .max()
          .ifPresent(id -> visibleIds.saw(id, moment()));
      settle(read);
    }

    private void settle(List<StoredEnvelope> read) {
      read.forEach(
          each -> {
            visible.remove(each.id());
            delivered.add(each.id());
          });
      if (!read.isEmpty()) {
        floor.settled(null);
      }
    }

    /** All that the database can know of who writes, which may be as old as the lag. */
    private Set<String> open() {
      Set<String> open = new HashSet<>();
      transactions.values().stream()
          .filter(each -> each.began() <= now - lag.toMillis())
          .forEach(each -> open.add(each.name()));
      return open;
    }

    private Ticker.Moment moment() {
      return Samples.at(Duration.ofMillis(now));
    }

    /** Those that were delivered after one whose writer began when they were committed. */
    List<Long> overtaken() {
      List<Long> overtaken = new ArrayList<>();
      int latest = 0;
      for (long id : delivered) {
        if (committed.getOrDefault(id, 0) < latest) {
          overtaken.add(id);
        }
        latest = Math.max(latest, step.getOrDefault(id, 0));
      }
      return overtaken;
    }

    /** What is there and will never be read. */
    List<Long> lost() {
      return visible.stream().filter(id -> id <= floor.cursor()).sorted().toList();
    }
  }
}
