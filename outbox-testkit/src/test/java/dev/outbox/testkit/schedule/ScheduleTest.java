package dev.outbox.testkit.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ScheduleTest {
  static final List<Settings> BOTH_WAYS = List.of(Settings.lanes(), Settings.rows());

  private static final long MANY = Long.getLong("outbox.schedules", 10_000);
  private static final long FRESH = Long.getLong("outbox.schedules.fresh", 500);

  /** What only lanes know. */
  private static final Set<Happening> OF_LANES =
      EnumSet.of(
          Happening.TAKEOVER,
          Happening.FENCED,
          Happening.STANDSTILL,
          Happening.UNANSWERED,
          Happening.LATER_ANSWER,
          Happening.DEAD_BY_CRASH);

  @ParameterizedTest
  @FieldSource("BOTH_WAYS")
  void one_seed_gives_the_same_notes_twice(Settings settings) {
    for (long seed = 0; seed < 200; seed++) {
      Schedule schedule = Schedule.of(seed).with(settings);
      assertThat(schedule.run().notes()).as("seed " + seed).isEqualTo(schedule.run().notes());
    }
  }

  @ParameterizedTest
  @FieldSource("BOTH_WAYS")
  void many_schedules_keep_the_promises_through_faults_of_every_kind(Settings settings) {
    long began = System.nanoTime();
    Schedules.Report report = Schedules.run(LongStream.range(0, MANY / 2), settings);
    System.out.printf(
        "%s schedules in %d ms: %s%n",
        settings.claiming(), (System.nanoTime() - began) / 1_000_000, report);
    report.assertPassed();
    if (Long.getLong(Schedules.SEED) == null) {
      assertThat(report.coverage().counts().keySet()).containsAll(expected(settings));
    }
  }

  private static Set<Happening> expected(Settings settings) {
    Set<Happening> all = EnumSet.allOf(Happening.class);
    if (settings.equals(BOTH_WAYS.get(1))) {
      all.removeAll(OF_LANES);
    }
    return all;
  }

  @ParameterizedTest
  @FieldSource("BOTH_WAYS")
  void schedules_of_fresh_seeds_keep_the_promises(Settings settings) {
    long first = new SplittableRandom().nextLong(1L << 48);
    System.out.println("fresh seeds from " + first);
    Schedules.run(LongStream.range(first, first + FRESH), settings).assertPassed();
  }

  @Test
  void the_same_seed_with_other_settings_is_another_schedule() {
    Outcome three = Schedule.of(1).run();
    Outcome one = Schedule.of(1).with(Settings.lanes().relays(1)).run();

    assertThat(one.notes()).isNotEqualTo(three.notes());
  }
}
