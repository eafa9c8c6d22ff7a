package dev.outbox.internal.relay.lane;

import static dev.outbox.internal.relay.Samples.LANE;
import static dev.outbox.internal.relay.Samples.atSecond;
import static dev.outbox.internal.relay.Samples.ready;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.ScriptedLanes;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrashSuspicionTest {
  private final StoredEnvelope first = ready(11, "a");
  private final StoredEnvelope second = ready(12, "b");

  @Test
  void begins_with_the_third_takeover_without_a_settlement() {
    assertThat(after(2, null).isCareful()).isFalse();
    assertThat(after(3, null).isCareful()).isTrue();
  }

  @Test
  void goes_on_with_whoever_inherits_a_suspect() {
    assertThat(after(0, new Suspect(11, 1)).isCareful()).isTrue();
  }

  @Test
  void ends_when_there_is_nothing_to_read() {
    CrashSuspicion crashSuspicion = after(3, null);

    crashSuspicion.empty();

    assertThat(crashSuspicion.isCareful()).isFalse();
  }

  @Test
  void ends_once_everything_of_the_first_read_has_settled() {
    CrashSuspicion crashSuspicion = after(3, null);
    crashSuspicion.read(List.of(first, second));

    crashSuspicion.settled(11);
    assertThat(crashSuspicion.isCareful()).isTrue();

    crashSuspicion.settled(12);
    assertThat(crashSuspicion.isCareful()).isFalse();
  }

  @Test
  void is_not_prolonged_by_what_was_written_after_the_takeover() {
    CrashSuspicion crashSuspicion = after(3, null);
    crashSuspicion.read(List.of(first, second));
    crashSuspicion.read(List.of(second, ready(99, "c")));

    crashSuspicion.settled(12);

    assertThat(crashSuspicion.isCareful()).isFalse();
  }

  @Test
  void does_not_end_with_a_settlement_before_the_first_read() {
    CrashSuspicion crashSuspicion = after(3, null);

    crashSuspicion.settled(1_000_000);

    assertThat(crashSuspicion.isCareful()).isTrue();
  }

  @Test
  void buries_the_suspect_after_three_deaths_and_not_before() {
    assertThat(fate(new Suspect(11, 2), first)).isNull();
    assertThat(fate(new Suspect(11, 3), first))
        .isInstanceOfSatisfying(
            Fate.Bury.class,
            bury -> {
              assertThat(bury.storedEnvelope()).isEqualTo(first);
              assertThat(bury.reason()).isEqualTo(Reason.CRASH);
              assertThat(bury.attempts()).isEqualTo(3);
            });
  }

  @Test
  void buries_nobody_else() {
    assertThat(fate(new Suspect(11, 3), second)).isNull();
    assertThat(fate(null, first)).isNull();
  }

  private static Fate fate(Suspect suspect, StoredEnvelope storedEnvelope) {
    return after(3, suspect).fate(storedEnvelope, Samples.decision(), atSecond(0));
  }

  private static CrashSuspicion after(int takeovers, Suspect suspect) {
    return new CrashSuspicion(ScriptedLanes.claim(LANE, takeovers, suspect));
  }
}
