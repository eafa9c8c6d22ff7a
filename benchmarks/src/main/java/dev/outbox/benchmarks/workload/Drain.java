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
import dev.outbox.benchmarks.measure.Samples;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.benchmarks.measure.Usage;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.report.Variant;
import dev.outbox.servers.Sandbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How fast a backlog leaves through a publisher that only counts: messages a second from the first
 * arrival to the last, and from the start until all is settled and closed.
 */
/*
 * The first rate leaves out the first read and the last settle. With 1,000,000 waiting they are nothing; with 100,000 they count,
 * the more so for a contender that moves several batches in one turn. The second has the start and the close of the relay in
 * it. The truth is between them.
 */
final class Drain implements Workload {
  /** Before the first variant: all code is new then, and compiled for seconds beside the drain. */
  private static final int WARM_UPS = 8;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Override
  public void run(Setting setting, Report report) throws Exception {
    List<Contender> all = setting.contendersOr("raw", "raw-rows", "outbox", "outbox-rows");
    int warmUps = setting.count(WARM_UPS, 1);
    for (Variant variant : setting.variants(variants(setting))) {
      int waiting = variant.number("waiting");
      Tuning tuning = new Tuning(variant.number("batch"), variant.number("relays"));
      List<Contender> contenders =
          all.stream().filter(each -> each.mostRelays() >= tuning.relays()).toList();
      report.settings(contenders, tuning);
      Map<Contender, Samples> samples =
          new Interleaved(contenders, warmUps, setting.roundsOr(3))
              .run(
                  contender -> drain(setting, contender, waiting, tuning),
                  (contender, round, measures) -> report.run(variant, contender, round, measures));
      samples.forEach((contender, each) -> report.medians(variant, contender.name(), each));
      Comparison.of(samples).tell(report, variant);
      Comparison.of(samples).tellWatched(report, variant, "rate");
      warmUps = 1;
    }
    report.bars("", "Drain (waiting / batch / relays)", "rate");
  }

  private static List<Variant> variants(Setting setting) {
    List<Variant> variants = new ArrayList<>();
    for (int waiting : setting.numbers("waiting", List.of(100_000, 1_000_000), List.of(20_000))) {
      for (int batch : setting.numbers("batch", List.of(100, 1000), List.of(100, 1000))) {
        for (int relays : setting.numbers("relays", List.of(1, 2), List.of(1, 2))) {
          variants.add(
              Variant.NONE.with("waiting", waiting).with("batch", batch).with("relays", relays));
        }
      }
    }
    return variants;
  }

  private static Measures drain(Setting setting, Contender contender, int waiting, Tuning tuning)
      throws Exception {
    int count = Math.min(waiting, contender.most());
    try (Sandbox sandbox = setting.database().sandbox()) {
      Site site = Site.of(sandbox);
      contender.create(site);
      Usage filling = fill(contender, site, count);
      site.settle(contender.table());
      return drain(contender, site, count, tuning, filling);
    }
  }

  private static Usage fill(Contender contender, Site site, int count) throws Exception {
    Meter meter = Meter.start(site);
    try (Installation installation = contender.open(site)) {
      installation.fill(0, count);
    }
    return meter.stop();
  }

  private static Measures drain(
      Contender contender, Site site, int count, Tuning tuning, Usage filling) throws Exception {
    Sink sink = Sink.counting().expecting(count);
    Meter meter = Meter.start(site);
    long begun;
    long settled;
    try (Installation installation = contender.open(site)) {
      begun = System.nanoTime();
      Movement movement = installation.start(tuning, sink);
      try (movement) {
        sink.await(PATIENCE);
      }
      settled = System.nanoTime();
      meter.workIsOver();
      Running.requireEmpty(installation);
    }
    sink.check(count);
    double seconds = (sink.completeNanos() - sink.firstNanos()) / 1e9;
    Measures measures =
        new Measures()
            .put("rate", "msg/s", (count - 1) / seconds)
            .put("rate from start to close", "msg/s", count * 1e9 / (settled - begun))
            .put("drained", "messages", (double) count);
    Usage usage = meter.stop();
    usage.perMessage(measures, count);
    if (usage.logBytes() >= 0) {
      double log = (double) (filling.logBytes() + usage.logBytes()) / count;
      measures.put("log of insert and delete", "bytes per message", log);
    }
    return measures;
  }
}
