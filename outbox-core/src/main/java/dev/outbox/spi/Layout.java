package dev.outbox.spi;

import dev.outbox.Claiming;
import dev.outbox.cluster.Clusters;
import dev.outbox.spi.lane.Lane;

/**
 * How the tables are laid out: written once by the schema, read when a store is opened, changed
 * offline only.
 *
 * <p>Immutable. With row claims there is one lane. Where there are several clusters, each has that
 * many lanes, and this is the layout of number {@code cluster}.
 */
public record Layout(int schemaVersion, int lanes, Claiming claiming, int clusters, int cluster) {
  /** The most lanes an outbox can have. */
  public static final int MAX_LANES = 1024;

  /**
   * @throws IllegalArgumentException when there are no lanes or more than {@value #MAX_LANES},
   *     several lanes or clusters with row claims, or the clusters are out of range
   */
  public Layout {
    if (lanes < 1 || lanes > MAX_LANES) {
      throw new IllegalArgumentException("lanes is " + lanes + ", it must be 1 to " + MAX_LANES);
    }
    if (claiming == Claiming.ROWS && lanes != 1) {
      throw new IllegalArgumentException("row claims have 1 lane, not " + lanes);
    }
    if (claiming == Claiming.ROWS && clusters != 1) {
      throw new IllegalArgumentException(
          "row claims know 1 cluster, not " + clusters + "; use lanes where there are several");
    }
    Clusters.of(clusters, cluster); // refuses what no cluster can be
  }

  /** The layout of the only cluster there is. */
  public Layout(int schemaVersion, int lanes, Claiming claiming) {
    this(schemaVersion, lanes, claiming, 1, 0);
  }

  /** True where there are several clusters. */
  public boolean hasPeers() {
    return clusters > 1;
  }

  /** This cluster's lane for what hashes to {@code lane}. */
  public Lane own(Lane lane) {
    return cluster == 0 ? lane : of(cluster, lane);
  }

  /** The lane of {@code other} for what hashes to {@code lane}. */
  public Lane of(int other, Lane lane) {
    return new Lane(other * lanes + lane.number() % lanes);
  }

  /** The cluster that {@code lane} is of. */
  public int clusterOf(Lane lane) {
    return lane.number() / lanes;
  }

  /** The first of this cluster's lanes. */
  public Lane firstLane() {
    return new Lane(cluster * lanes);
  }

  /**
   * Checks that these tables are those of {@code expected}.
   *
   * @throws IllegalArgumentException when they are another cluster's
   */
  public void require(Clusters expected) {
    if (expected.count() != clusters || expected.id() != cluster) {
      throw new IllegalArgumentException(
          "these tables were made for cluster %d of %d, the setting says cluster %d of %d; give the relay the DataSource of its cluster, or make tables with Schema.builder(dataSource).clusters(..)"
              .formatted(cluster, clusters, expected.id(), expected.count()));
    }
  }
}
