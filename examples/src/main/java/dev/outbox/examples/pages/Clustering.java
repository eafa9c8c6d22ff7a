package dev.outbox.examples.pages;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.cluster.ClusterState;
import dev.outbox.cluster.Clusters;
import dev.outbox.cluster.Handover;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.publish.Publisher;
import java.time.Duration;
import javax.sql.DataSource;

/** The code of docs/several-clusters.md. */
public final class Clustering {
  private Clustering() {}

  /** One cluster of several: its tables, its writer, its relay. */
  public static Relay start(DataSource dataSource, Publisher publisher) {
    // CLUSTERS_COUNT=3 CLUSTER_ID=0 MAXIMUM_DELAY=600, or PT10M
    Clusters clusters = Clusters.fromEnvironment();
    Schema.builder(dataSource).clusters(clusters).create();
    JdbcStore store = JdbcStore.create(dataSource);
    Outbox outbox = Outbox.builder(store).clusters(clusters).build();
    Relay relay = Relay.builder(store, publisher).clusters(clusters).start();
    outbox.wake();
    return relay;
  }

  /** The others publish what this cluster writes until the maintenance is done. */
  public static boolean handOver(JdbcStore store, Runnable maintenance)
      throws InterruptedException {
    Handover handover = Handover.create(store);
    handover.leave();
    if (handover.await(ClusterState.LEFT, Duration.ofMinutes(1))) {
      maintenance.run(); // nothing of this cluster is in flight
    }
    handover.comeBack();
    boolean works = handover.await(ClusterState.WORKING, Duration.ofMinutes(1));
    return works;
  }
}
