package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Installation;
import dev.outbox.benchmarks.contender.Installation.Writer;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Crew;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a message adds to an application's transaction: four writers, each transaction a business
 * row and a message, against the business row alone and the message written by hand. Nothing is
 * moved.
 */
final class Enqueue implements Workload {
  private static final int WRITERS = 4;
  private static final int PAIRS = 9;
  private static final int WARM_UPS = 5;
  private static final String ALONE = "business";

  @Override
  public void run(Setting setting, Report report) throws Exception {
    List<Contender> contenders =
        setting.contendersOr(ALONE, "raw", "raw-rows", "outbox", "outbox-rows");
    report.settings(contenders, Tuning.USUAL);
    int count = setting.count(5000, 500);
    Variant variant = Variant.NONE.with("writers", WRITERS);
    Map<Contender, Samples> samples =
        new Interleaved(contenders, setting.count(WARM_UPS, 1), setting.roundsOr(PAIRS))
            .run(
                contender -> enqueue(setting, contender, count),
                (contender, round, measures) -> report.run(variant, contender, round, measures));
    for (Map.Entry<Contender, Samples> entry : samples.entrySet()) {
      entry.getValue().add(statements(setting, entry.getKey()));
      report.medians(variant, entry.getKey().name(), entry.getValue());
    }
    Comparison comparison = Comparison.of(samples);
    comparison.tellPaired(report, variant, "rate");
    comparison.tell(report, variant, "log", "log ");
    comparison.tellBeyond(report, variant, ALONE, "log");
    comparison.tellDifference(report, variant, "statements");
    comparison.tellDifference(report, variant, "client CPU");
    report.bars("", "Transactions of four writers", "rate");
  }

  private static Measures enqueue(Setting setting, Contender contender, int count)
      throws Exception {
    try (Sandbox sandbox = setting.database().sandbox()) {
      Site site = Running.prepared(sandbox, contender);
      Meter meter = Meter.start(site);
      Crew.Written written;
      try (Installation installation = contender.open(site)) {
        written = new Crew(installation, WRITERS, Crew.Committed.NOBODY).each(count);
        requireAll(installation, contender, written.messages());
      }
      Usage usage = meter.stop();
      Measures measures =
          new Measures()
              .put("rate", "tx/s", written.messages() / written.seconds())
              .put("client CPU", "us per tx", written.cpuSeconds() * 1e6 / written.messages());
      if (usage.logBytes() >= 0) {
        measures.put("log", "bytes per tx", (double) usage.logBytes() / written.messages());
      }
      if (usage.serverSeconds() >= 0) {
        measures.put("server CPU", "us per tx", usage.serverSeconds() * 1e6 / written.messages());
      }
      return measures;
    }
  }

  private static void requireAll(Installation installation, Contender contender, long written)
      throws Exception {
    long waiting = installation.waiting();
    if (!contender.name().equals(ALONE) && waiting != written) {
      throw new IllegalStateException(
          "%d messages were written, but %d wait".formatted(written, waiting));
    }
  }

  /** Counted, not timed: what one transaction asks of the database. */
  private static Measures statements(Setting setting, Contender contender) throws Exception {
    List<Long> counts = new ArrayList<>();
    try (Sandbox sandbox = setting.database().sandbox()) {
      RoundTrips roundTrips = new RoundTrips();
      Site site = Running.prepared(sandbox, contender).counting(roundTrips);
      try (Installation installation = contender.open(site);
          Writer writer = installation.writer()) {
        writer.write(0);
        for (long number = 1; number <= 10; number++) {
          long before = roundTrips.statements();
          writer.write(number);
          counts.add(roundTrips.statements() - before);
        }
      }
    }
    double median = Samples.median(counts.stream().map(Long::doubleValue).toList());
    Measures measures = new Measures();
    if (median > 0) { // the proxy does not see a pool that Spring has made
      measures.put("statements", "per tx", median);
    }
    return measures;
  }
}
