package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Installation.Held;
import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Feed;
import dev.outbox.benchmarks.measure.Interleaved;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Samples;
import dev.outbox.benchmarks.report.LineChart;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.report.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * One writer and one relay for minutes, at half the rate that the two together reach with 10,000
 * waiting: the worst window over the median of the first two. With an old transaction open beside
 * them, or with none.
 */
final class Steady implements Workload {
  private static final long WAITING = 10_000;

  private final List<OpenTransaction> beside;
  private final String[] usual;

  Steady(List<OpenTransaction> beside, String... usual) {
    this.beside = beside;
    this.usual = usual;
  }

  private record Lengths(Duration probe, Duration warmUp, Duration window, int windows) {
    static Lengths of(Setting setting) {
      return setting.quick()
          ? new Lengths(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofSeconds(2), 4)
          : new Lengths(Duration.ofSeconds(15), Duration.ofSeconds(20), Duration.ofSeconds(10), 18);
    }
  }

  @Override
  public void run(Setting setting, Report report) throws Exception {
    Lengths lengths = Lengths.of(setting);
    List<Contender> contenders = setting.contendersOr(usual);
    report.settings(contenders, Tuning.USUAL);
    List<Variant> all =
        beside.stream().map(each -> Variant.NONE.with("beside", each.term())).toList();
    LineChart chart = new LineChart("Steady load, " + setting.databaseName(), "window", "msg/s");
    for (Variant variant : setting.variants(all)) {
      OpenTransaction open = OpenTransaction.of(variant.text("beside"));
      Map<Contender, Samples> samples =
          new Interleaved(contenders, 0, setting.roundsOr(1))
              .run(
                  contender -> steady(setting, contender, open, lengths, chart),
                  (contender, round, measures) -> report.run(variant, contender, round, measures));
      samples.forEach(
          (contender, each) -> {
            report.medians(variant, contender.name(), each);
            report.ratio(
                variant, contender.name() + " worst/first window", each.median("worst/first"));
            report.ratio(
                variant,
                contender.name() + " rate/offered",
                each.median("rate") / each.median("offered"));
          });
    }
    report.chart("", chart);
  }

  private static Measures steady(
      Setting setting, Contender contender, OpenTransaction open, Lengths lengths, LineChart chart)
      throws Exception {
    double reached = reached(setting, contender, lengths.probe());
    double offered = reached / 2;
    Measures measures =
        new Measures().put("reached", "msg/s", reached).put("offered", "msg/s", offered);
    Sink sink = Sink.counting();
    List<Double> windows = new ArrayList<>();
    Running.play(
        setting,
        contender,
        Tuning.USUAL,
        sink,
        measures,
        (site, installation) -> {
          long own = open == OpenTransaction.ENQUEUE ? 1 : 0;
          Held held = open.open(site, contender, installation, () -> 0);
          long written = 0;
          try (held) {
            Feed feed = Feed.start(installation, own, Feed.perSecond(offered));
            Thread.sleep(lengths.warmUp().toMillis());
            for (int window = 0; window < lengths.windows(); window++) {
              windows.add(rate(sink, lengths.window()));
            }
            written = own + feed.end();
            measures.put("left at the end", "messages", (double) (written - own - sink.arrived()));
          }
          return written;
        });
    chart.line(contender.name() + " beside " + open.term(), windows);
    double first = Samples.median(windows.subList(0, 2));
    return measures
        .put("rate", "msg/s", Samples.median(windows))
        .put("worst window", "msg/s", Collections.min(windows))
        .put("worst/first", "ratio", Collections.min(windows) / first);
  }

  /** What passes in a second while as many as {@link #WAITING} wait all the time. */
  private static double reached(Setting setting, Contender contender, Duration length)
      throws Exception {
    Sink sink = Sink.counting();
    double[] rate = new double[1];
    Running.play(
        setting,
        contender,
        Tuning.USUAL,
        sink,
        new Measures(),
        (site, installation) -> {
          Feed feed = Feed.start(installation, 0, () -> sink.arrived() + WAITING);
          rate(sink, length.dividedBy(3));
          rate[0] = rate(sink, length.multipliedBy(2).dividedBy(3));
          return feed.end();
        });
    return rate[0];
  }

  private static double rate(Sink sink, Duration window) throws InterruptedException {
    long before = sink.arrived();
    long begun = System.nanoTime();
    Thread.sleep(window.toMillis());
    return (sink.arrived() - before) * 1e9 / (System.nanoTime() - begun);
  }
}
