package dev.outbox.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.testkit.history.History;
import dev.outbox.testkit.history.LeaseRight;
import dev.outbox.testkit.history.Note;
import dev.outbox.testkit.history.NoteKind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LapsesTest {
  private static final Duration LEASE = Duration.ofSeconds(3);

  private final AtomicLong seconds = new AtomicLong();
  private final History history = History.withClock(() -> seconds.get() * 1_000_000_000L);

  private void at(long second, NoteKind noteKind, String who, long epoch) {
    seconds.set(second);
    history.write(noteKind, who, null, new LeaseRight(1, epoch, second * 1_000_000_000L), "");
  }

  private Lapses lapses() {
    return new Lapses(history.notes(), LEASE);
  }

  @Test
  void a_lease_that_was_not_renewed_ran_out_before_the_next_relay_took_the_lane() {
    at(1, NoteKind.LEASED, "a", 1);
    at(2, NoteKind.RENEWED, "a", 1);
    at(9, NoteKind.LEASED, "b", 2);
    assertThat(lapses().faults())
        .containsExactly(
            new Note(
                5_000_000_000L,
                NoteKind.FAULT,
                "a",
                null,
                new LeaseRight(1, 1, 2_000_000_000L),
                "its lease ran out"));
  }

  @Test
  void a_lane_that_was_released_or_taken_from_a_living_lease_is_no_fault() {
    at(1, NoteKind.LEASED, "a", 1);
    at(2, NoteKind.RELEASED, "a", 1);
    at(9, NoteKind.LEASED, "b", 2);
    at(11, NoteKind.LEASED, "c", 3);
    assertThat(lapses().faults()).isEmpty();
  }

  @Test
  void what_a_relay_hears_of_an_old_epoch_renews_nothing() {
    at(1, NoteKind.LEASED, "a", 1);
    at(5, NoteKind.LEASED, "b", 2);
    at(8, NoteKind.RENEWED, "a", 1);
    at(9, NoteKind.LEASED, "c", 3);
    assertThat(lapses().faults()).extracting(Note::who).containsExactly("a", "b");
  }

  @Test
  void a_lease_that_runs_out_without_a_reason_is_counted() {
    at(1, NoteKind.LEASED, "a", 1);
    at(5, NoteKind.LEASED, "b", 2);
    assertThat(lapses().unprovoked()).isOne();
    history.of(NoteKind.FAULT, "b", "killed");
    at(9, NoteKind.LEASED, "c", 3);
    assertThat(lapses().unprovoked()).isOne();
  }
}
