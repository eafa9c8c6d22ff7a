package dev.outbox.internal.operate;

import dev.outbox.Claiming;
import dev.outbox.OutboxException.Finding;
import dev.outbox.cluster.Clusters;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.Usage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must hold before a relay starts. What only warns is logged.
 *
 * <p>Immutable.
 */
public record RelayPreconditions(OutboxStore store, Publisher publisher, String name) {
  private static final Logger log = LoggerFactory.getLogger(RelayPreconditions.class);

  /** Tables made for one way of claiming are not worked by the other. */
  public void requireClaiming(@Nullable Claiming claiming) {
    Claiming tables = store.layout().claiming();
    if (claiming != null && claiming != tables) {
      throw new IllegalArgumentException(
          "claiming is %s, but the tables are made for %s; leave claiming(..) out, or make other tables with Schema"
              .formatted(claiming, tables));
    }
    if (publisher.isTransactional() && tables != Claiming.ROWS) {
      throw new IllegalArgumentException(
          "publisher is transactional, but the tables are claimed by %s; make them with Schema.builder(dataSource).claiming(Claiming.ROWS), or give another publisher"
              .formatted(tables));
    }
  }

  /** Only what is kept can be purged. */
  public void requireArchive(@Nullable Duration archiveRetention) {
    if (archiveRetention != null && !store.archives()) {
      throw new IllegalArgumentException(
          "archiveRetention is %s, but this store keeps no delivered messages; build it with archive(), or leave the retention out"
              .formatted(archiveRetention));
    }
  }

  /** The tables are those of the cluster that is expected. */
  public void requireClusters(@Nullable Clusters clusters, Duration maximumDelay, Duration lease) {
    if (clusters != null) {
      store.layout().require(clusters);
    }
    if (store.layout().hasPeers() && maximumDelay.compareTo(lease) < 0) {
      throw new IllegalArgumentException(
          "maximumDelay is %s, shorter than the lease of %s: a relay that was paused would not notice that its cluster was taken over; raise it, or shorten the lease"
              .formatted(maximumDelay, lease));
    }
  }

  /** What a repeat needs of a broker that drops repeats. */
  public void examineGuarantees(Duration lease, Duration renewal, Duration publishDeadline) {
    BrokerGuarantees brokerGuarantees = publisher.brokerGuarantees();
    boolean byRows = store.layout().claiming() == Claiming.ROWS;
    RepeatWindow repeatWindow =
        byRows
            ? RepeatWindow.byRows(publishDeadline)
            : RepeatWindow.byLanes(lease, renewal, publishDeadline);
    repeatWindow
        .lastsUpTo(brokerGuarantees)
        .ifPresent(rate -> log.info("relay={} dedupe: {}", name, rate));
    repeatWindow
        .warning(brokerGuarantees)
        .ifPresent(warning -> log.warn("relay={} starts with a warning: {}", name, warning));
  }

  /** What keeps the relay from working, as the doctor finds it; empty when nothing does. */
  public List<Finding> examine(int workers, boolean purges, Duration lease) {
    int connections = store.layout().claiming() == Claiming.ROWS ? workers + 1 : 1;
    connections += purges ? 1 : 0;
    Usage usage = new Usage(Usage.Role.RELAY, store.layout().claiming(), connections, lease);
    List<Finding> findings = store.examine(usage);
    List<Finding> failures =
        findings.stream().filter(f -> f.severity() == Finding.Severity.FAILURE).toList();
    if (failures.isEmpty()) {
      findings.forEach(finding -> log.warn("relay={} starts with a warning: {}", name, finding));
    }
    return failures;
  }
}
