package dev.outbox.internal.relay.read;

import static dev.outbox.internal.relay.Samples.LANE;
import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.ScriptedLanes;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.base.Visible;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The search below the floors, over tables in which dead rows cost time. */
class LateCommitSweepTest {
  private static final Lane OTHER = new Lane(4);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private Instant now = Samples.START;
  private Duration perThousand = Duration.ZERO;
  private final List<Long> pieces = new ArrayList<>();
  private final List<Duration> statements = new ArrayList<>();
  private final ScriptedLanes lanes = new ScriptedLanes(8);
  private final LateCommitSweep lateCommitSweep = new LateCommitSweep(lanes, Ticker.of(() -> now));
  private final LaneRun run = run(LANE);

  LateCommitSweepTest() {
    lanes.readingPast = this::wade;
  }

  private void wade(long reach) {
    pieces.add(reach);
    Duration time = perThousand.multipliedBy(Math.min(reach, 10_000_000L) / 1000);
    statements.add(time);
    now = now.plus(time);
  }

  private static LaneRun run(Lane lane) {
    return new LaneRun(
        new LaneClaim(new Lease(lane, "test", 1, 0), Set.of(), 0, null),
        Samples.atSecond(0),
        Duration.ofSeconds(13),
        Samples.rules(new TopicGates()));
  }

  private void pass(Duration time, LaneRun... runs) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      lateCommitSweep.goOn(List.<ReadableLane>of(runs));
      now = now.plusMillis(10);
    }
  }

  @Test
  void where_nothing_is_dead_a_few_pieces_reach_any_floor() {
    run.foundEmpty(new Visible(1_000_000_000_000L, 1_000_000_000_000L));

    pass(MINUTE.plusSeconds(1), run);

    assertThat(pieces).hasSizeBetween(2, 12);
    assertThat(pieces.stream().mapToLong(Long::longValue).sum()).isEqualTo(1_000_000_000_000L);
  }

  @Test
  void among_dead_rows_a_statement_stays_short_and_most_of_the_time_is_for_others() {
    perThousand = Duration.ofMillis(4);
    run.foundEmpty(new Visible(8_000_000, 8_000_000));

    pass(MINUTE.multipliedBy(40), run);

    assertThat(statements).allMatch(time -> time.compareTo(Duration.ofMillis(700)) < 0);
    Duration swept = statements.stream().reduce(Duration.ZERO, Duration::plus);
    assertThat(swept).isBetween(Duration.ofSeconds(31), MINUTE.multipliedBy(40).dividedBy(40));
    assertThat(pieces.stream().mapToLong(Long::longValue).sum()).isGreaterThan(8_000_000L);
  }

  @Test
  void days_without_dead_rows_make_the_first_statement_beside_them_no_longer() {
    run.foundEmpty(new Visible(10_000_000, 10_000_000));
    pass(MINUTE.multipliedBy(30), run);
    pieces.clear();
    statements.clear();

    perThousand = Duration.ofMillis(4);
    pass(MINUTE.multipliedBy(30), run);

    assertThat(statements)
        .isNotEmpty()
        .allMatch(time -> time.compareTo(Duration.ofMillis(700)) < 0);
  }

  @Test
  void a_statement_that_is_given_up_makes_the_next_piece_shorter() {
    run.foundEmpty(new Visible(1_000_000, 1_000_000));
    perThousand = Duration.ofSeconds(1);
    lanes.unheard = "sweep";
    pass(MINUTE.minusSeconds(1), run);
    assertThat(pieces).isEmpty();

    for (int i = 0; i < 3; i++) {
      assertThatExceptionOfType(StoreException.class).isThrownBy(() -> pass(MINUTE, run));
      now = now.plus(Duration.ofHours(1));
    }

    assertThat(pieces).containsExactly(20_000L, 5_000L, 1_250L);
  }

  @Test
  void what_is_found_below_a_floor_is_read_from_its_piece_on() {
    run.foundEmpty(new Visible(1_000_000_000, 1_000_000_000));
    LaneRun above = run(OTHER);
    above.foundEmpty(new Visible(90_000, 90_000));
    lanes.put(StoredEnvelope.ready(100_000, LANE, envelope(null)));
    lanes.put(StoredEnvelope.ready(100_001, OTHER, envelope(null)));

    pass(MINUTE.plusSeconds(1), run, above);

    assertThat(run.cursor(1).after()).as("far below its floor").isBetween(1L, 99_999L);
    assertThat(above.cursor(1).after()).as("its message is above its floor").isEqualTo(90_000);
  }

  @Test
  void the_next_sweep_begins_again_at_the_first_id() {
    run.foundEmpty(new Visible(1000, 1000));
    pass(MINUTE.plusSeconds(1), run);
    assertThat(pieces).hasSize(1);
    lanes.put(StoredEnvelope.ready(7, LANE, envelope(null)));
    pass(MINUTE.plusSeconds(1), run);

    assertThat(run.cursor(1).after()).isZero();
  }
}
