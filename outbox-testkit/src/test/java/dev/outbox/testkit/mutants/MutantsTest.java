package dev.outbox.testkit.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.testkit.history.Violation.Kind;
import dev.outbox.testkit.schedule.Schedule;
import dev.outbox.testkit.schedule.ScheduleOutcome;
import dev.outbox.testkit.schedule.Schedules;
import dev.outbox.testkit.schedule.Settings;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The known bugs of the field: schedules find each of them. */
class MutantsTest {
  private static final int BOUND = 300;
  private static final int BOUND_OF_GOING_BACK = 1000;
  private static final int LONGEST_STORY = 30;

  /** A third in a build of every day. */
  private static final int WITHOUT_BUG =
      Long.getLong("outbox.schedules") == null ? BOUND / 3 : BOUND;

  static Stream<Arguments> mutants() {
    return Stream.of(
        relay(Bug.COMMIT_IN_MID_BATCH, Kind.UNCONFIRMED, Kind.LOST),
        relay(Bug.WHOLE_BATCH_ROLLBACK, Kind.UNEXPLAINED),
        relay(Bug.RETRY_OVERTAKES, Kind.REORDERED),
        relay(Bug.LATE_PUBLISH, Kind.UNEXPLAINED, Kind.REORDERED),
        relay(Bug.PARK_FORGETS_FOLLOWERS, Kind.REORDERED),
        relay(Bug.TWO_OF_A_KEY, Kind.CROWDED),
        relay(Bug.DELETE_BEFORE_CONFIRM, Kind.UNCONFIRMED),
        store(BrokenStore.Flaw.UNFENCED_SETTLE, Kind.STALE, Kind.UNEXPLAINED),
        store(BrokenStore.Flaw.LAST_ID_CURSOR, Kind.LOST, Kind.REORDERED, Kind.LEFT_OVER),
        store(BrokenStore.Flaw.TIGHT_FLOOR, Kind.REORDERED),
        store(BrokenStore.Flaw.LANES_AND_ROWS, Kind.UNEXPLAINED, Kind.REORDERED),
        goingBack(BrokenStore.Flaw.SETTLE_BY_ID, Kind.LOST),
        goingBack(BrokenStore.Flaw.ONCE_FOR_EACH_RELAY, Kind.LEFT_OVER));
  }

  private static Arguments relay(Bug bug, Kind... kinds) {
    return Arguments.of(bug.name(), naive(bug), List.of(kinds));
  }

  private static Arguments store(BrokenStore.Flaw flaw, Kind... kinds) {
    return Arguments.of(flaw.name(), broken(flaw), List.of(kinds));
  }

  private static Arguments goingBack(BrokenStore.Flaw flaw, Kind... kinds) {
    return Arguments.of(flaw.name(), broken(flaw).goingBack(), List.of(kinds));
  }

  private static Settings naive(Bug bug) {
    return Settings.lanes().withoutDeadly().workers(relaySpec -> new NaiveRelay(relaySpec, bug));
  }

  private static Settings broken(BrokenStore.Flaw flaw) {
    return Settings.lanes().withoutLaterAnswers().worlds(() -> new BrokenStore(2, flaw));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void schedules_find(String name, Settings settings, List<Kind> kinds) {
    int bound = settings.goesBack() ? BOUND_OF_GOING_BACK : BOUND;
    for (long seed = 0; seed < bound; seed++) {
      Schedule schedule = Schedule.of(seed).with(settings);
      if (!schedule.run().passes()) {
        ScheduleOutcome shrunk = schedule.runAndShrink();
        System.out.printf("%s after %d schedules: %s%n", name, seed + 1, shrunk);
        assertThat(shrunk.kind()).hasValueSatisfying(kind -> assertThat(kinds).contains(kind));
        assertThat(shrunk.length()).isLessThan(LONGEST_STORY);
        return;
      }
    }
    throw new AssertionError(name + " was not found by " + bound + " schedules");
  }

  @Test
  void the_naive_relay_without_a_bug_keeps_the_promises() {
    Schedules.run(LongStream.range(0, 2L * WITHOUT_BUG), naive(Bug.NONE)).assertPassed();
  }

  @Test
  void the_store_of_the_mutants_without_a_flaw_keeps_the_promises() {
    Settings settings = broken(BrokenStore.Flaw.NONE);
    Schedules.run(LongStream.range(0, WITHOUT_BUG), settings).assertPassed();
    Schedules.run(LongStream.range(0, WITHOUT_BUG), settings.goingBack()).assertPassed();
  }
}
