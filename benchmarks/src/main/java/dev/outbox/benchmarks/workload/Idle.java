package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Installation;
import dev.outbox.benchmarks.contender.Installation.Movement;
import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Interleaved;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Meter;
import dev.outbox.benchmarks.measure.RoundTrips;
import dev.outbox.benchmarks.measure.Samples;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.benchmarks.measure.Usage;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.report.Variant;
import dev.outbox.servers.Sandbox;
import java.util.List;
import java.util.Map;

/** What a relay costs that has nothing to do: statements, commits, log and processor by second. */
final class Idle implements Workload {
  private static final long UNTIL_IT_RESTS = 3000;

  @Override
  public void run(Setting setting, Report report) throws Exception {
    List<Contender> contenders = setting.contendersOr("outbox", "outbox-rows");
    report.settings(contenders, Tuning.USUAL);
    Map<Contender, Samples> samples =
        new Interleaved(contenders, 0, setting.roundsOr(1))
            .run(
                contender -> idle(setting, contender),
                (contender, round, measures) ->
                    report.run(Variant.NONE, contender, round, measures));
    samples.forEach((contender, each) -> report.medians(Variant.NONE, contender.name(), each));
  }

  private static Measures idle(Setting setting, Contender contender) throws Exception {
    int seconds = setting.count(60, 5);
    try (Sandbox sandbox = setting.database().sandbox()) {
      RoundTrips roundTrips = new RoundTrips();
      Site site = Running.prepared(sandbox, contender).counting(roundTrips);
      try (Installation installation = contender.open(site)) {
        Movement movement = installation.start(Tuning.USUAL, Sink.counting());
        try (movement) {
          Thread.sleep(UNTIL_IT_RESTS);
          Meter meter = Meter.start(site);
          long before = roundTrips.statements();
          Thread.sleep(seconds * 1000L);
          long statements = roundTrips.statements() - before;
          return measures(meter.stop(), seconds)
              .put("statements", "a second", (double) statements / seconds);
        }
      }
    }
  }

  private static Measures measures(Usage usage, int seconds) {
    Measures measures = new Measures();
    if (usage.commits() >= 0) {
      measures.put("commits", "a second", (double) usage.commits() / seconds);
    }
    if (usage.logBytes() >= 0) {
      measures.put("log", "bytes a second", (double) usage.logBytes() / seconds);
    }
    if (usage.serverSeconds() >= 0) {
      measures.put("server CPU", "ms a second", usage.serverSeconds() * 1e3 / seconds);
    }
    return measures.put("JVM CPU", "ms a second", usage.jvmSeconds() * 1e3 / seconds);
  }
}
