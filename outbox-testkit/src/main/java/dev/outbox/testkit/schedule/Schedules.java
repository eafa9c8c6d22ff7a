package dev.outbox.testkit.schedule;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Many schedules, side by side on the machine's cores.
 *
 * <pre>{@code
 * Schedules.run(LongStream.range(0, 10_000), Settings.lanes()).assertPassed();
 * }</pre>
 *
 * <p>With the system property {@code outbox.seed} only the schedule of that seed is run.
 */
public final class Schedules {
  /** Names the one seed to run. */
  public static final String SEED = "outbox.seed";

  private static final int SHRUNK = 3;

  private Schedules() {}

  /**
   * What came of many schedules.
   *
   * <p>Immutable. Of those that failed the first are shrunk and shown.
   */
  public record Report(long runs, long failed, Coverage coverage, List<ScheduleOutcome> failures) {
    public Report {
      failures = List.copyOf(failures);
    }

    /**
     * Passes when there were some, and all have passed.
     *
     * @throws AssertionError with the stories of the first that failed
     */
    public Report assertPassed() {
      if (failed > 0 || runs == 0) {
        throw new AssertionError(toString());
      }
      return this;
    }

    @Override
    public String toString() {
      return failures.stream()
          .map(ScheduleOutcome::toString)
          .collect(
              Collectors.joining(
                  "\n\n", "%d schedules, %d failed: %s%n".formatted(runs, failed, coverage), ""));
    }
  }

  /** Runs the schedules of these seeds. */
  public static Report run(LongStream seeds, Settings settings) {
    return run(seeds, settings, scheduleOutcome -> {});
  }

  /** As {@link #run(LongStream, Settings)}; {@code each} sees every outcome, on many threads. */
  static Report run(LongStream seeds, Settings settings, Consumer<ScheduleOutcome> each) {
    Long only = Long.getLong(SEED);
    Map<CoveredEvent, LongAdder> counts = new ConcurrentHashMap<>();
    Queue<Long> failed = new ConcurrentLinkedQueue<>();
    AtomicLong runs = new AtomicLong();
    (only == null ? seeds : LongStream.of(only))
        .parallel()
        .forEach(
            seed -> {
              ScheduleOutcome scheduleOutcome = Schedule.of(seed).with(settings).run();
              runs.incrementAndGet();
              add(scheduleOutcome.coverage(), counts);
              each.accept(scheduleOutcome);
              if (!scheduleOutcome.passes()) {
                failed.add(seed);
              }
            });
    List<ScheduleOutcome> shrunk =
        failed.stream()
            .sorted(Comparator.naturalOrder())
            .limit(SHRUNK)
            .map(seed -> Schedule.of(seed).with(settings).runAndShrink())
            .toList();
    return new Report(runs.get(), failed.size(), coverage(counts), shrunk);
  }

  private static void add(Coverage coverage, Map<CoveredEvent, LongAdder> counts) {
    coverage
        .counts()
        .forEach(
            (coveredEvent, count) ->
                counts.computeIfAbsent(coveredEvent, any -> new LongAdder()).add(count));
  }

  private static Coverage coverage(Map<CoveredEvent, LongAdder> counts) {
    return new Coverage(
        counts.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().sum())));
  }
}
