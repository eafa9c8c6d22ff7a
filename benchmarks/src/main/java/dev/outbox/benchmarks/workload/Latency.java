package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Installation.Held;
import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Crew;
import dev.outbox.benchmarks.measure.Interleaved;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Samples;
import dev.outbox.benchmarks.measure.Times;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.report.Variant;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * From the return of the commit to the publisher, with four writers at a steady rate; at 2,000 a
 * second also while an enqueue is held open for a minute.
 */
final class Latency implements Workload {
  private static final int WRITERS = 4;

  @Override
  public void run(Setting setting, Report report) throws Exception {
    List<Contender> contenders =
        setting.contendersOr("raw", "raw-rows", "outbox", "outbox-connection", "outbox-rows");
    report.settings(contenders, Tuning.USUAL);
    for (Variant variant : setting.variants(variants())) {
      Map<Contender, Samples> samples =
          new Interleaved(measurable(contenders, variant), 1, setting.roundsOr(3))
              .run(
                  contender -> measure(setting, contender, variant),
                  (contender, round, measures) -> report.run(variant, contender, round, measures));
      samples.forEach((contender, each) -> report.medians(variant, contender.name(), each));
      Comparison comparison = Comparison.of(samples);
      comparison.tell(report, variant, "p50", "p50 ");
      comparison.tell(report, variant, "p99", "p99 ");
    }
    report.bars("p50", "Latency p50 (messages a second / held open)", "p50");
    report.bars("p99", "Latency p99 (messages a second / held open)", "p99");
  }

  private static List<Variant> variants() {
    Variant none = Variant.NONE;
    return List.of(
        none.with("rate", 200).with("held", "none"),
        none.with("rate", 500).with("held", "none"),
        none.with("rate", 2000).with("held", "none"),
        none.with("rate", 2000).with("held", "enqueue"));
  }

  /** A hand-written lane would lose what is committed so late. */
  private static List<Contender> measurable(List<Contender> contenders, Variant variant) {
    return open(variant) == OpenTransaction.NONE
        ? contenders
        : contenders.stream().filter(each -> each.name().startsWith("outbox")).toList();
  }

  private static OpenTransaction open(Variant variant) {
    return OpenTransaction.of(variant.text("held"));
  }

  private static Measures measure(Setting setting, Contender contender, Variant variant)
      throws Exception {
    int rate = variant.number("rate");
    OpenTransaction open = open(variant);
    Duration warmUp = Duration.ofSeconds(setting.count(5, 1));
    Duration length =
        Duration.ofSeconds(
            open == OpenTransaction.NONE ? setting.count(20, 2) : setting.count(60, 3));
    long most = rate * (warmUp.toSeconds() + length.toSeconds()) + 2L * WRITERS + 1;
    Times arrivals = new Times(most);
    Times commits = new Times(most);
    Sink sink = Sink.working(number -> arrivals.note(number, System.nanoTime()));
    Measures measures = new Measures();
    Running.play(
        setting,
        contender,
        Tuning.USUAL,
        sink,
        measures,
        (site, installation) -> {
          Crew crew = new Crew(installation, WRITERS, commits::note);
          crew.paced(rate, warmUp);
          Held held = open.open(site, contender, installation, crew::next);
          long from = crew.numbered();
          try (held) {
            long before = sink.arrived();
            Crew.Written written = crew.paced(rate, length);
            long passed = sink.arrived() - before;
            Running.arrived(sink, crew.numbered() - (open == OpenTransaction.NONE ? 0 : 1));
            measures
                .put("rate", "msg/s", written.messages() / written.seconds())
                .put("arrived meanwhile", "msg/s", passed / written.seconds());
            Times.between(commits, arrivals, from, crew.numbered()).tell(measures);
          }
          return crew.numbered();
        });
    return measures;
  }
}
