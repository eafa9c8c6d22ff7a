package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Installation;
import dev.outbox.benchmarks.contender.Installation.Movement;
import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Interleaved;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Samples;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.report.Variant;
import dev.outbox.servers.Sandbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a long queue costs its head: the rate of the first 10,000 messages when no more wait, and
 * when a million do.
 */
final class Backlog implements Workload {
  /** Before the first that counts, so that no variant runs on code that is less compiled. */
  private static final int WARM_UPS = 8;

  private static final int WARMING = 50_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Override
  public void run(Setting setting, Report report) throws Exception {
    List<Contender> contenders = setting.contendersOr("raw", "raw-rows", "outbox", "outbox-rows");
    report.settings(contenders, Tuning.USUAL);
    int first = setting.count(10_000, 2_000);
    Map<String, Double> least = new HashMap<>();
    int many = setting.count(WARMING, 2_000);
    new Interleaved(contenders, setting.count(WARM_UPS, 1), 0)
        .run(contender -> first(setting, contender, many, many), (c, round, measures) -> {});
    for (Variant variant : variants(setting, first)) {
      int waiting = variant.number("waiting");
      Map<Contender, Samples> samples =
          new Interleaved(contenders, 0, setting.roundsOr(5))
              .run(
                  contender -> first(setting, contender, first, waiting),
                  (contender, round, measures) -> report.run(variant, contender, round, measures));
      samples.forEach(
          (contender, each) -> {
            report.medians(variant, contender.name(), each);
            for (String quantity : List.of("rate", "rate from the start")) {
              String name = contender.name() + " " + quantity;
              double alone = least.computeIfAbsent(name, any -> each.median(quantity));
              if (waiting > first) {
                report.ratio(
                    variant, name + " " + waiting + "/" + first, each.median(quantity) / alone);
              }
            }
          });
    }
    report.bars("", "The first 10,000 of so many", "rate from the start");
  }

  private static List<Variant> variants(Setting setting, int first) {
    List<Variant> variants = new ArrayList<>();
    variants.add(Variant.NONE.with("waiting", first));
    for (int large : setting.numbers("waiting", List.of(1_000_000), List.of(50_000))) {
      variants.add(Variant.NONE.with("waiting", large));
    }
    return variants;
  }

  private static Measures first(Setting setting, Contender contender, int first, int waiting)
      throws Exception {
    try (Sandbox sandbox = setting.database().sandbox()) {
      Site site = Site.of(sandbox);
      contender.create(site);
      try (Installation installation = contender.open(site)) {
        installation.fill(0, waiting);
      }
      site.settle(contender.table());
      return first(contender, site, first, waiting);
    }
  }

  private static Measures first(Contender contender, Site site, int first, int waiting)
      throws Exception {
    Sink sink = Sink.counting().expecting(first);
    try (Installation installation = contender.open(site)) {
      long begun = System.nanoTime();
      Movement movement = installation.start(Tuning.USUAL, sink);
      try (movement) {
        sink.await(PATIENCE);
      }
      requireAccounted(sink, installation.waiting(), waiting);
      return new Measures()
          .put("rate", "msg/s", (first - 1) * 1e9 / (sink.completeNanos() - sink.firstNanos()))
          .put("rate from the start", "msg/s", first * 1e9 / (sink.completeNanos() - begun));
    }
  }

  private static void requireAccounted(Sink sink, long left, int count) {
    if (sink.arrived() + left != count) {
      throw new IllegalStateException(
          "%d arrived and %d still wait, but %d were sent".formatted(sink.arrived(), left, count));
    }
    sink.checkNoneRepeated();
  }
}
