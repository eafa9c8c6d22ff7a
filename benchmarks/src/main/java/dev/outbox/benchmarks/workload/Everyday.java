package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Installation;
import dev.outbox.benchmarks.contender.Installation.Movement;
import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Allocated;
import dev.outbox.benchmarks.measure.Crew;
import dev.outbox.benchmarks.measure.Interleaved;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Meter;
import dev.outbox.benchmarks.measure.RoundTrips;
import dev.outbox.benchmarks.measure.Samples;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.benchmarks.measure.ThreadUsage;
import dev.outbox.benchmarks.measure.Times;
import dev.outbox.benchmarks.measure.Usage;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.report.Variant;
import dev.outbox.servers.Sandbox;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a message costs when there are few: four writers at a steady rate, warm. Processor time of
 * the JVMs, writers included, and of the server; bytes that this JVM allocates; statements and
 * commits of this JVM are counted in a short run of their own.
 */
final class Everyday implements Workload {
  private static final int WRITERS = 4;
  private static final int LEAST_OF_WARM_UP = 200;
  private static final String WARM = "JVM CPU without compilers";

  @Override
  public void run(Setting setting, Report report) throws Exception {
    List<Contender> contenders = setting.contendersOr("raw", "outbox", "outbox-rows");
    report.settings(contenders, Tuning.USUAL);
    for (Variant variant : setting.variants(variants())) {
      Map<Contender, Samples> samples =
          new Interleaved(contenders, 0, setting.roundsOr(3))
              .run(
                  contender -> measure(setting, contender, variant.number("rate")),
                  (contender, round, measures) -> report.run(variant, contender, round, measures));
      samples.forEach((contender, each) -> report.medians(variant, contender.name(), each));
      Comparison comparison = Comparison.of(samples);
      comparison.tell(report, variant, WARM, "JVM CPU ");
      comparison.tell(report, variant, "server CPU", "server CPU ");
      comparison.tell(report, variant, "p50", "p50 ");
    }
    report.bars("jvm", "Processor time of JVMs for a message (messages a second)", WARM);
    report.bars("p50", "Latency p50 (messages a second)", "p50");
  }

  private static List<Variant> variants() {
    return List.of(
        Variant.NONE.with("rate", 1),
        Variant.NONE.with("rate", 20),
        Variant.NONE.with("rate", 200),
        Variant.NONE.with("rate", 2000));
  }

  private static Measures measure(Setting setting, Contender contender, int rate) throws Exception {
    Measures measures = new Measures();
    Duration length = Duration.ofSeconds(setting.count(120, 20));
    Duration warmUp = Duration.ofSeconds(setting.count(60, 20));
    int before = Math.max(rate, LEAST_OF_WARM_UP);
    long most = before * warmUp.toSeconds() + rate * length.toSeconds() + 2L * WRITERS + 1;
    Times arrivals = new Times(most);
    Times commits = new Times(most);
    Sink sink = Sink.working(number -> arrivals.note(number, System.nanoTime()));
    try (Sandbox sandbox = setting.database().sandbox()) {
      Site site = Running.prepared(sandbox, contender);
      try (Installation installation = contender.open(site)) {
        Movement movement = installation.start(Tuning.USUAL, sink);
        try (movement) {
          Crew crew = new Crew(installation, WRITERS, commits::note);
          crew.paced(before, warmUp);
          Running.arrived(sink, crew.numbered());
          long from = crew.numbered();
          ThreadUsage threads = ThreadUsage.now();
          long allocated = Allocated.byLivingThreads();
          Meter meter = Meter.start(site);
          Crew.Written written = crew.paced(rate, length);
          Running.arrived(sink, crew.numbered());
          allocated = Allocated.byLivingThreads() - allocated + written.allocatedBytes();
          ThreadUsage used = ThreadUsage.now().since(threads);
          meter.workIsOver();
          Usage usage = meter.stop();
          usage.processorPerMessage(measures, written.messages());
          double warm = (usage.jvmSeconds() - used.compilerSeconds()) / written.messages();
          measures
              .put(WARM, "us per message", warm * 1e6)
              .put("CPU of writers", "us per message", written.cpuPerMessage())
              .put("allocated", "bytes per message", (double) allocated / written.messages());
          used.perMessage(measures, written.messages());
          Times.between(commits, arrivals, from, crew.numbered()).tell(measures);
        }
        sink.check(sink.arrived());
        Running.requireEmpty(installation);
      }
    }
    count(setting, contender, rate, measures);
    return measures;
  }

  /** How often the database is asked, counted between application and driver. */
  private static void count(Setting setting, Contender contender, int rate, Measures measures)
      throws Exception {
    RoundTrips roundTrips = new RoundTrips();
    Sink sink = Sink.counting();
    try (Sandbox sandbox = setting.database().sandbox()) {
      Site site = Running.prepared(sandbox, contender).counting(roundTrips);
      try (Installation installation = contender.open(site)) {
        Movement movement = installation.start(Tuning.USUAL, sink);
        try (movement) {
          Crew crew = new Crew(installation, WRITERS, Crew.Committed.NOBODY);
          crew.paced(LEAST_OF_WARM_UP, Duration.ofSeconds(3));
          Running.arrived(sink, crew.numbered());
          long statements = roundTrips.statements();
          long commits = roundTrips.commits();
          Crew.Written written = crew.paced(rate, Duration.ofSeconds(setting.count(30, 10)));
          Running.arrived(sink, crew.numbered());
          measures
              .put(
                  "statements",
                  "per message",
                  (double) (roundTrips.statements() - statements) / written.messages())
              .put(
                  "commits",
                  "per message",
                  (double) (roundTrips.commits() - commits) / written.messages());
        }
      }
    }
  }
}
