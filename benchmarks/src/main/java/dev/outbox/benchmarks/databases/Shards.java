package dev.outbox.benchmarks.databases;

import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.measure.Times;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.DatabaseServer;
import dev.outbox.servers.Sandbox;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Databases behind one process: one publisher for all, and one pool of publish threads for all
 * where that is asked for.
 *
 * <p>Used by one thread.
 */
final class Shards implements AutoCloseable {
  private static final int PUBLISH_THREADS = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<Sandbox> sandboxes = new ArrayList<>();
  private final List<Shard> all = new ArrayList<>();
  private final Times commits;
  private final Times arrivals;
  private final Sink sink;
  private final Publisher publisher;
  private final @Nullable ExecutorService shared;
  private long written;

  /** For at most {@code most} messages. */
  Shards(long most, boolean sharesThreads) {
    this.commits = new Times(most);
    this.arrivals = new Times(most);
    this.sink = Sink.working(number -> arrivals.note(number, System.nanoTime()));
    this.publisher = Publisher.blocking(envelope -> sink.accept(envelope.payload().bytes()));
    this.shared = sharesThreads ? Executors.newFixedThreadPool(PUBLISH_THREADS) : null;
  }

  /** Adds {@code count} databases of {@code server}. */
  void add(DatabaseServer server, int count) {
    for (int number = 0; number < count; number++) {
      Sandbox sandbox = server.sandbox();
      sandboxes.add(sandbox);
      all.add(Shard.create(sandbox, sandbox.url()));
    }
  }

  /** Adds a database that is reached through {@code url}. */
  void add(Sandbox sandbox, String url) {
    sandboxes.add(sandbox);
    all.add(Shard.create(sandbox, url));
  }

  /** Gives each database an equal part of {@code messages}. */
  void fill(long messages) throws SQLException {
    for (Shard shard : all) {
      fill(shard, messages / all.size());
    }
  }

  /** Gives one database {@code messages}. */
  void fill(Shard shard, long messages) throws SQLException {
    shard.fill(written, written + messages);
    written += messages;
  }

  /** Starts a relay for each; one that waits looks for work after {@code poll} at the latest. */
  void start(Duration poll) {
    for (int number = 0; number < all.size(); number++) {
      all.get(number).start("relay-" + number, publisher, poll, shared);
    }
  }

  /** Waits until all that was written has arrived, and fails if one was lost or came twice. */
  void await() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    long before = sink.arrived();
    while (sink.arrived() < written) {
      LockSupport.parkNanos(1_000_000);
      if (sink.arrived() > before) {
        before = sink.arrived();
        deadline = System.nanoTime() + PATIENCE.toNanos();
      } else if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(before + " of " + written + " messages have arrived");
      }
    }
    sink.check(written);
  }

  /**
   * Writes {@code perSecond} messages a second, to one database of {@code among} after another, and
   * returns how long each took from its commit to the publisher.
   */
  Times.Quantiles paced(int perSecond, Duration length, List<Shard> among) throws Exception {
    long from = written;
    long begun = System.nanoTime();
    long step = Duration.ofSeconds(1).toNanos() / perSecond;
    for (long at = 0; at < length.toNanos(); at += step) {
      LockSupport.parkNanos(begun + at - System.nanoTime());
      Shard shard = among.get((int) (written % among.size()));
      long number = written++;
      commits.note(number, shard.write(number));
    }
    long to = written;
    while (!arrivals.haveAll(from, to)) {
      LockSupport.parkNanos(1_000_000);
    }
    return Times.between(commits, arrivals, from, to);
  }

  List<Shard> all() {
    return all;
  }

  @Override
  public void close() throws SQLException {
    for (Shard shard : all) {
      shard.close();
    }
    if (shared != null) {
      shared.shutdown();
    }
    sandboxes.forEach(Sandbox::close);
  }
}
