package dev.outbox;

import dev.outbox.OutboxException.Finding;
import dev.outbox.cluster.Clusters;
import dev.outbox.internal.operate.Counts;
import dev.outbox.internal.operate.RelayPreconditions;
import dev.outbox.internal.operate.StartLine;
import dev.outbox.internal.relay.RelayEngine;
import dev.outbox.internal.relay.base.GuardedListener;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.OutboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Relay.Builder} was given so far, its defaults, and how a relay starts of it.
 *
 * <p>Used by one thread.
 */
final class RelayDraft {
  private static final Duration LINGER = Duration.ofMillis(5);

  final OutboxStore store;
  final Publisher publisher;
  final Map<String, RetryPolicy> retryByTopic = new HashMap<>();
  String name = "relay";
  Duration lease = Duration.ofSeconds(15);
  Duration renewal = Duration.ofSeconds(5);
  int batch = 500;
  @Nullable Integer messages;
  long bytes = 8L * 1024 * 1024;
  int publishThreads = 8;
  int workers = 2;
  Duration publishDeadline = Duration.ofSeconds(30);
  Duration closeDeadline = Duration.ofSeconds(20);
  Duration poll = Duration.ofSeconds(1);
  Duration grace = Duration.ofSeconds(2);
  @Nullable Executor executor;
  @Nullable Duration archiveRetention;
  final List<AutoCloseable> owned = new ArrayList<>();
  boolean closeOnShutdown;
  RetryPolicy retry = RetryPolicy.standard();
  final List<RelayListener> listeners = new ArrayList<>();
  @Nullable Claiming claiming;
  @Nullable Clusters clusters;

  RelayDraft(OutboxStore store, Publisher publisher) {
    this.store = store;
    this.publisher = publisher;
  }

  /** A running engine, under the {@code name} that is unique among all relays of the store. */
  record Started(String name, RelayEngine engine) {}

  /** Starts what was asked for, once nothing speaks against it. */
  Started start() {
    String unique = name + "-" + UUID.randomUUID().toString().substring(0, 8);
    RelayPreconditions preconditions = new RelayPreconditions(store, publisher, unique);
    preconditions.requireClaiming(claiming);
    preconditions.requireArchive(archiveRetention);
    preconditions.requireClusters(clusters, maximumDelay(), lease);
    RelaySettings settings = settings(unique);
    List<Finding> failures = preconditions.examine(workers, archiveRetention != null, lease);
    if (!failures.isEmpty()) {
      throw new OutboxException("relay=" + unique + " cannot start:", failures);
    }
    preconditions.examineGuarantees(lease, renewal, publishDeadline);
    RelayEngine.Staff staff = new RelayEngine.Staff(workers, executor, archiveRetention, owned);
    RelayEngine engine = new RelayEngine(store, publisher, settings, staff);
    try {
      if (closeOnShutdown) {
        engine.stopOnShutdown();
      }
      StartLine.log(unique, store.layout(), publisher);
    } catch (Throwable thrown) { // as while the JVM shuts down: its threads run by now
      engine.withdraw();
      throw thrown;
    }
    return new Started(unique, engine);
  }

  private RelaySettings settings(String unique) {
    Counts.atLeastOne("workers", workers);
    return new RelaySettings(
        unique,
        new RelaySettings.Leasing(lease, renewal, maximumDelay()),
        volume(),
        new RelaySettings.Deadlines(publishDeadline, closeDeadline, poll, LINGER),
        new RelaySettings.Retries(retry, retryByTopic),
        grace,
        new GuardedListener(unique, listeners));
  }

  private RelaySettings.Volume volume() {
    int some = messages == null ? RelaySettings.Volume.inFlight(batch) : messages;
    return new RelaySettings.Volume(batch, some, bytes, publishThreads);
  }

  private Duration maximumDelay() {
    return (clusters == null ? Clusters.ONE : clusters).maximumDelay();
  }
}
