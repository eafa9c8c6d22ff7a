package dev.outbox.internal.relay;

import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.OpenTransactions;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A relay beside a writer that is open for long: what it reads, and what of that counts. */
class LastingWriterTest {
  private static final Lane LANE = new Lane(1);
  private static final Set<String> WRITER = Set.of("A");
  private static final int SEVERAL = 40;

  private final ScriptedLanes lanes = new ScriptedLanes(4);
  private final SteppedRelay relay = new SteppedRelay(lanes);
  private final StoredEnvelope late = StoredEnvelope.ready(1, LANE, envelope(null));
  private long ids = 1;
  private long highest;

  @BeforeEach
  void othersWriteBesideIt() {
    lanes.openTransactions = new OpenTransactions.Known(WRITER, Duration.ZERO);
    lanes.openToReads = WRITER;
    lanes.wading =
        cursors ->
            cursors.stream()
                .mapToLong(Cursor::after)
                .filter(after -> after < Long.MAX_VALUE)
                .forEach(after -> highest = Math.max(highest, after));
    for (int message = 0; message < SEVERAL; message++) {
      next();
      relay.pass(50);
    }
  }

  private StoredEnvelope next() {
    StoredEnvelope next = StoredEnvelope.ready(++ids, LANE, envelope(null));
    lanes.put(next);
    relay.wake(LANE);
    return next;
  }

  @Test
  void reads_begin_above_what_it_may_still_commit() {
    assertThat(relay.envelopes()).hasSize(SEVERAL);
    assertThat(highest).isBetween(10L, ids);
  }

  @Test
  void reads_begin_at_the_floor_where_the_store_cannot_tell_whether_it_is_open() {
    lanes.openToReads = Set.of();
    next();
    relay.pass(5000);
    highest = 0;
    next();
    relay.pass(5000);

    assertThat(relay.envelopes()).hasSize(SEVERAL + 2);
    assertThat(highest).isZero();
  }

  @Test
  void a_read_does_not_count_that_it_had_ended_for() {
    lanes.openToReads = Set.of();
    lanes.put(late);
    StoredEnvelope after = next();
    relay.pass(1000);

    assertThat(relay.envelopes().subList(SEVERAL, SEVERAL + 2))
        .containsExactly(late.envelope(), after.envelope());
  }

  @Test
  void a_look_does_not_count_either() {
    lanes.openToReads = Set.of();
    lanes.put(late);
    relay.pass(Duration.ofMillis(30));
    relay.wake(LANE);
    relay.pass(Duration.ofMillis(30));

    assertThat(relay.envelopes()).contains(late.envelope());
  }

  @Test
  void what_it_commits_untold_is_found_within_a_poll() {
    lanes.openTransactions = new OpenTransactions.Known(Set.of(), Duration.ZERO);
    lanes.put(late);
    relay.pass(1100);

    assertThat(relay.envelopes()).hasSize(SEVERAL + 1).contains(late.envelope());
  }
}
