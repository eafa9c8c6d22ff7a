package dev.outbox.cluster;

import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.cluster.ClusterStore;
import java.time.Duration;
import java.util.Objects;

/**
 * Hands the lanes of a cluster over to the others before its database, its broker or its network
 * goes down, with nothing repeated, and takes them back.
 *
 * <p>Safe for use by many threads. The request is stored in the tables, and the relays of the
 * cluster, so at least one has to run until the cluster has left. Writers may go on: what they
 * write is taken over too.
 *
 * <pre>{@code
 * Handover handover = Handover.create(store);
 * handover.leave();
 * if (handover.await(ClusterState.LEFT, Duration.ofMinutes(5))) {
 *   System.out.println(handover.clusterState() + ": another cluster has taken over");
 * }
 * handover.comeBack();
 * }</pre>
 */
public final class Handover {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  private final ClusterStore clusters;

  private Handover(OutboxStore store) {
    this.clusters = store.clusters();
  }

  /**
   * The cluster of this store.
   *
   * @throws IllegalArgumentException when there is only one
   */
  public static Handover create(OutboxStore store) {
    if (!Objects.requireNonNull(store, "store").layout().hasPeers()) {
      throw new IllegalArgumentException(
          "the tables are made for one cluster, which has no other to hand over to; with one, close its relays instead");
    }
    return new Handover(store);
  }

  /** The state of the cluster. */
  public ClusterState clusterState() {
    return clusters.roll().clusterState();
  }

  /**
   * Asks the cluster to leave: its relays lease nothing new and end what they began. It has {@link
   * ClusterState#LEFT left} when nothing of it is in flight; from then on the others take over.
   */
  public void leave() {
    clusters.leave();
  }

  /**
   * Asks the cluster to come back: its relays wait until the others have stopped taking over, at
   * most for the maximum delay, and work.
   */
  public void comeBack() {
    clusters.comeBack();
  }

  /** Waits until the cluster is in that state. False when it does not within {@code timeout}. */
  public boolean await(ClusterState wanted, Duration timeout) throws InterruptedException {
    Objects.requireNonNull(wanted, "wanted");
    long deadline = System.nanoTime() + timeout.toNanos();
    while (clusterState() != wanted) {
      if (System.nanoTime() - deadline >= 0) {
        return false;
      }
      Thread.sleep(BETWEEN_LOOKS.toMillis());
    }
    return true;
  }
}
