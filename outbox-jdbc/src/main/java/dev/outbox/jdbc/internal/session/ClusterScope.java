package dev.outbox.jdbc.internal.session;

import dev.outbox.cluster.Origin;
import dev.outbox.spi.Layout;

/**
 * Whose tables these are, and what that makes of a dialect's text. With one cluster nothing: its
 * texts ask for no origin and have no condition on clusters.
 *
 * <p>Immutable.
 */
public record ClusterScope(int clusters, int cluster, int lanes) {
  static final ClusterScope ONLY = new ClusterScope(1, 0, 1);

  static ClusterScope of(Layout layout) {
    return new ClusterScope(layout.clusters(), layout.cluster(), layout.lanes());
  }

  public boolean hasPeers() {
    return clusters > 1;
  }

  /** Fills in {@code {cluster}}, {@code {origin}}, {@code {mine}} and {@code {own}}. */
  String fill(String text) {
    return text.replace("{cluster}", Integer.toString(cluster))
        .replace("{origin}", hasPeers() ? "o.origin, " : "")
        .replace("{mine}", hasPeers() ? "cluster_id = " + cluster + " AND " : "")
        .replace("{own}", hasPeers() ? " WHERE " + ownLanes("lane") : "");
  }

  /** The condition on {@code column} that a row is in one of this cluster's lanes. */
  String ownLanes(String column) {
    int first = cluster * lanes;
    return column + " BETWEEN " + first + " AND " + (first + lanes - 1);
  }

  /** The origin of a message in {@code lane} whose row tells {@code cluster}. */
  public Origin origin(int cluster, int lane) {
    int writer = Math.max(0, cluster);
    return Origin.of(writer, hasPeers() ? lane / lanes : writer);
  }
}
