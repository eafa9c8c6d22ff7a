package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Installation;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Crew;
import dev.outbox.benchmarks.measure.Deadlocks;
import dev.outbox.benchmarks.measure.Interleaved;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Samples;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.report.Variant;
import dev.outbox.servers.Sandbox;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * 1 to 8 relays, each in its own JVM, drain one backlog; and 8 of them beside 64 writers. No
 * message may come twice, whichever relay it comes to.
 */
final class Relays implements Workload {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Override
  public void run(Setting setting, Report report) throws Exception {
    List<Contender> contenders = setting.contendersOr("outbox", "outbox-rows");
    report.settings(contenders, Tuning.USUAL);
    for (Variant variant : setting.variants(variants())) {
      Map<Contender, Samples> samples =
          new Interleaved(contenders, 0, setting.roundsOr(3))
              .run(
                  contender -> run(setting, contender, variant),
                  (contender, round, measures) -> report.run(variant, contender, round, measures));
      samples.forEach((contender, each) -> report.medians(variant, contender.name(), each));
    }
    report.bars("", "Relay processes (relays / writers)", "rate");
  }

  private static List<Variant> variants() {
    List<Variant> variants = new ArrayList<>();
    for (int relays : new int[] {1, 2, 4, 8}) {
      variants.add(Variant.NONE.with("relays", relays).with("writers", 0));
    }
    variants.add(Variant.NONE.with("relays", 8).with("writers", 64));
    return variants;
  }

  private static Measures run(Setting setting, Contender contender, Variant variant)
      throws Exception {
    int writers = variant.number("writers");
    Deadlocks deadlocks = Deadlocks.since(setting.database().server());
    List<RelayProcess> relays = new ArrayList<>();
    try (Sandbox sandbox = setting.database().sandbox()) {
      Site site = Running.prepared(sandbox, contender);
      try (Installation installation = contender.open(site)) {
        int backlog = writers == 0 ? setting.count(200_000, 10_000) : 0;
        installation.fill(0, backlog);
        for (int i = 0; i < variant.number("relays"); i++) {
          relays.add(RelayProcess.start(contender.name(), site));
        }
        long begun = System.nanoTime();
        relays.forEach(RelayProcess::begin);
        long sent = writers == 0 ? backlog : written(setting, installation, writers);
        arrived(relays, sent);
        double seconds = (System.nanoTime() - begun) / 1e9;
        check(relays, sent);
        return new Measures()
            .put("rate", "msg/s", sent / seconds)
            .put("deadlocks", "in all", (double) deadlocks.count());
      }
    } finally {
      relays.forEach(RelayProcess::close);
    }
  }

  private static long written(Setting setting, Installation installation, int writers)
      throws Exception {
    Duration length = Duration.ofSeconds(setting.count(30, 2));
    return new Crew(installation, writers, Crew.Committed.NOBODY).lasting(length).messages();
  }

  private static void arrived(List<RelayProcess> relays, long count) throws Exception {
    long before = -1;
    long quietSince = System.nanoTime();
    for (long arrived = 0; arrived < count; arrived = arrivedAt(relays)) {
      Thread.sleep(5);
      if (arrived != before) {
        before = arrived;
        quietSince = System.nanoTime();
      } else if (System.nanoTime() - quietSince > PATIENCE.toNanos()) {
        throw new IllegalStateException("%d of %d have arrived".formatted(arrived, count));
      }
    }
  }

  private static long arrivedAt(List<RelayProcess> relays) throws IOException {
    long arrived = 0;
    for (RelayProcess relay : relays) {
      arrived += relay.arrived();
    }
    return arrived;
  }

  private static void check(List<RelayProcess> relays, long count) throws IOException {
    BitSet all = new BitSet();
    long sum = 0;
    for (RelayProcess relay : relays) {
      BitSet seen = relay.end();
      sum += seen.cardinality();
      all.or(seen);
    }
    if (sum != all.cardinality()) {
      throw new IllegalStateException(
          "%d messages arrived at more than one relay".formatted(sum - all.cardinality()));
    }
    if (all.cardinality() != count || all.length() != count) {
      throw new IllegalStateException(
          "%d were sent, %d different ones arrived".formatted(count, all.cardinality()));
    }
  }
}
