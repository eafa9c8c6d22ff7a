package dev.outbox.testkit.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.Claiming;
import dev.outbox.testkit.internal.schedule.Decision;
import dev.outbox.testkit.internal.schedule.compose.Composer;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * {@code -Doutbox.schedules} plays that many, a quarter of them each way, and {@code
 * -Doutbox.schedules.fresh} that many fresh seeds each way.
 */
class ScheduleTest {
  static final List<Settings> BOTH_WAYS = List.of(Settings.lanes(), Settings.rows());
  static final List<Settings> ALL_WAYS =
      List.of(
          Settings.lanes(),
          Settings.rows(),
          Settings.lanes().goingBack(),
          Settings.rows().goingBack());

  private static final long MANY = Long.getLong("outbox.schedules", 8_000);
  private static final long FRESH = Long.getLong("outbox.schedules.fresh", 200);
  private static final long TWICE = Long.getLong("outbox.schedules") == null ? 25 : 100;

  /** What only lanes know. */
  private static final Set<CoveredEvent> OF_LANES =
      EnumSet.of(
          CoveredEvent.TAKEOVER,
          CoveredEvent.FENCED,
          CoveredEvent.STANDSTILL,
          CoveredEvent.UNANSWERED,
          CoveredEvent.LATER_ANSWER,
          CoveredEvent.DEAD_BY_CRASH);

  @ParameterizedTest
  @FieldSource("ALL_WAYS")
  void one_seed_gives_the_same_notes_twice(Settings settings) {
    for (long seed = 0; seed < TWICE; seed++) {
      Schedule schedule = Schedule.of(seed).with(settings);
      assertThat(schedule.run().notes()).as("seed " + seed).isEqualTo(schedule.run().notes());
    }
  }

  @ParameterizedTest
  @FieldSource("ALL_WAYS")
  void many_schedules_keep_the_promises_through_faults_of_every_kind(Settings settings)
      throws Exception {
    long began = System.nanoTime();
    ScheduleDigests digests = new ScheduleDigests(settings);
    Schedules.Report report =
        Schedules.run(LongStream.range(0, MANY / ALL_WAYS.size()), settings, digests::add);
    System.out.printf(
        "%s schedules%s in %d ms: %s%n",
        settings.claiming(),
        settings.goesBack() ? ", going back," : "",
        (System.nanoTime() - began) / 1_000_000,
        report);
    report.assertPassed();
    if (!settings.goesBack()) {
      digests.assertUnchanged();
    }
    if (Long.getLong(Schedules.SEED) == null) {
      assertThat(report.coverage().counts().keySet()).containsAll(expected(settings));
    }
  }

  private static Set<CoveredEvent> expected(Settings settings) {
    Set<CoveredEvent> all = EnumSet.allOf(CoveredEvent.class);
    if (settings.claiming() == Claiming.ROWS) {
      all.removeAll(OF_LANES);
    }
    if (!settings.goesBack()) {
      all.remove(CoveredEvent.WENT_BACK);
    }
    return all;
  }

  @ParameterizedTest
  @FieldSource("ALL_WAYS")
  void schedules_of_fresh_seeds_keep_the_promises(Settings settings) {
    long first = new SplittableRandom().nextLong(1L << 48);
    System.out.println("fresh seeds from " + first);
    Schedules.run(LongStream.range(first, first + FRESH), settings).assertPassed();
  }

  /** A loop takes its next turn within a second, and renews; here the next one comes too late. */
  @Test
  void a_turn_whose_renewal_was_refused_keeps_no_lease() {
    Schedules.run(LongStream.of(129514678095598L), Settings.lanes().goingBack()).assertPassed();
  }

  @Test
  void a_report_without_schedules_does_not_pass() {
    Schedules.Report none = new Schedules.Report(0, 0, new Coverage(Map.of()), List.of());
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(none::assertPassed)
        .withMessageContaining("0 schedules");
  }

  @Test
  void what_happens_before_the_store_is_remembered_is_the_same_without_that() {
    for (long seed = 0; seed < 50; seed++) {
      List<Decision> before =
          new Composer(seed, Settings.lanes().goingBack())
              .plan().decisions().stream()
                  .takeWhile(each -> !(each instanceof Decision.Remember))
                  .toList();
      List<Decision> plain = new Composer(seed, Settings.lanes()).plan().decisions();
      assertThat(plain.subList(0, before.size())).as("seed " + seed).isEqualTo(before);
    }
  }

  @Test
  void the_same_seed_with_other_settings_is_another_schedule() {
    ScheduleOutcome three = Schedule.of(1).run();
    ScheduleOutcome one = Schedule.of(1).with(Settings.lanes().relays(1)).run();

    assertThat(one.notes()).isNotEqualTo(three.notes());
  }
}
