package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.contender.Business;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Installation;
import dev.outbox.benchmarks.contender.Installation.Movement;
import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Meter;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.time.Duration;

/**
 * A contender that moves messages in its own database, from its start to its end; what was written
 * must have arrived once when it is over, and none may be left in the tables.
 */
final class Running {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Running() {}

  /** What happens while it runs; returns how many messages were written in all. */
  @FunctionalInterface
  interface Scene {
    long play(Site site, Installation installation) throws Exception;
  }

  /** Makes a database with the contender's tables and the application's. */
  static Site prepared(Sandbox sandbox, Contender contender) throws Exception {
    Site site = Site.of(sandbox);
    contender.create(site);
    try (Connection connection = site.open()) {
      Business.create(connection);
    }
    return site;
  }

  /**
   * Plays {@code scene} while messages move to {@code sink}, then checks them; adds to {@code
   * measures} what all of it has used, writers included, for each message.
   */
  static void play(
      Setting setting,
      Contender contender,
      Tuning tuning,
      Sink sink,
      Measures measures,
      Scene scene)
      throws Exception {
    try (Sandbox sandbox = setting.database().sandbox()) {
      Site site = prepared(sandbox, contender);
      Meter meter = Meter.start(site);
      long written;
      try (Installation installation = contender.open(site)) {
        Movement movement = installation.start(tuning, sink);
        try (movement) {
          written = scene.play(site, installation);
          arrived(sink, written);
        }
        meter.workIsOver();
        sink.check(written);
        requireEmpty(installation);
      }
      meter.stop().perMessage(measures, written);
    }
  }

  /** All has arrived: nothing may be left to be published again. */
  static void requireEmpty(Installation installation) throws Exception {
    long waiting = installation.waiting();
    if (waiting > 0) {
      throw new IllegalStateException(waiting + " messages still wait after all were published");
    }
  }

  /** Waits until that many have arrived. */
  static void arrived(Sink sink, long count) throws InterruptedException {
    long before = sink.arrived();
    long quietSince = System.nanoTime();
    while (sink.arrived() < count) {
      Thread.sleep(2);
      if (sink.arrived() != before) {
        before = sink.arrived();
        quietSince = System.nanoTime();
      } else if (System.nanoTime() - quietSince > PATIENCE.toNanos()) {
        throw new IllegalStateException(
            "%d of %d have arrived, and no other for %s".formatted(before, count, PATIENCE));
      }
    }
  }
}
