package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Crew;
import dev.outbox.benchmarks.measure.Deadlocks;
import dev.outbox.benchmarks.measure.Interleaved;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Samples;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.report.Variant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * 1 to 64 writers as fast as they can, one message a transaction, while one relay moves what they
 * write.
 */
final class FanIn implements Workload {
  @Override
  public void run(Setting setting, Report report) throws Exception {
    List<Contender> contenders = setting.contendersOr("raw", "raw-rows", "outbox", "outbox-rows");
    report.settings(contenders, Tuning.USUAL);
    List<Variant> all =
        Stream.of(1, 4, 16, 64).map(each -> Variant.NONE.with("writers", each)).toList();
    for (Variant variant : setting.variants(all)) {
      int writers = variant.number("writers");
      Map<Contender, Samples> samples =
          new Interleaved(contenders, 1, setting.roundsOr(3))
              .run(
                  contender -> fanIn(setting, contender, writers),
                  (contender, round, measures) -> report.run(variant, contender, round, measures));
      samples.forEach((contender, each) -> report.medians(variant, contender.name(), each));
      Comparison.of(samples).tell(report, variant, "rate", "");
    }
    report.bars("", "So many writers, one relay", "rate");
  }

  private static Measures fanIn(Setting setting, Contender contender, int writers)
      throws Exception {
    Sink sink = Sink.counting();
    Measures measures = new Measures();
    Duration length = Duration.ofSeconds(setting.count(10, 1));
    Deadlocks deadlocks = Deadlocks.since(setting.database().server());
    Running.play(
        setting,
        contender,
        Tuning.USUAL,
        sink,
        measures,
        (site, installation) -> {
          Crew crew = new Crew(installation, writers, Crew.Committed.NOBODY);
          long begun = System.nanoTime();
          Crew.Written written = crew.lasting(length);
          Running.arrived(sink, written.messages());
          measures
              .put("rate", "msg/s", written.messages() * 1e9 / (System.nanoTime() - begun))
              .put("committed", "tx/s", written.messages() / written.seconds());
          return written.messages();
        });
    return measures.put("deadlocks", "in all", (double) deadlocks.count());
  }
}
