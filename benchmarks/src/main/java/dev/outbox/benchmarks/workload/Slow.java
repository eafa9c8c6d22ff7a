package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Interleaved;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Samples;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.report.Variant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A publisher that takes its time with each message: how many leave a second, one relay. */
final class Slow implements Workload {
  @Override
  public void run(Setting setting, Report report) throws Exception {
    List<Contender> contenders = setting.contendersOr("raw", "raw-rows", "outbox", "outbox-rows");
    report.settings(contenders, Tuning.USUAL);
    List<Variant> all = List.of(Variant.NONE.with("millis", 5), Variant.NONE.with("millis", 50));
    for (Variant variant : setting.variants(all)) {
      int millis = variant.number("millis");
      int count = setting.count(20_000, 2_000) / millis;
      Map<Contender, Samples> samples =
          new Interleaved(contenders, 1, setting.roundsOr(3))
              .run(
                  contender -> slow(setting, contender, millis, count),
                  (contender, round, measures) -> report.run(variant, contender, round, measures));
      samples.forEach((contender, each) -> report.medians(variant, contender.name(), each));
      Comparison.of(samples).tell(report, variant, "rate", "");
    }
    report.bars("", "A publisher of so many ms", "rate");
  }

  private static Measures slow(Setting setting, Contender contender, int millis, int count)
      throws Exception {
    Sink sink = Sink.working(number -> take(millis)).expecting(count);
    Measures measures = new Measures();
    Running.play(
        setting,
        contender,
        Tuning.USUAL,
        sink,
        measures,
        (site, installation) -> {
          installation.fill(0, count);
          return count;
        });
    double seconds = (sink.completeNanos() - sink.firstNanos()) / 1e9;
    return measures.put("rate", "msg/s", (count - 1) / seconds);
  }

  private static void take(int millis) {
    long end = System.nanoTime() + millis * 1_000_000L;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
