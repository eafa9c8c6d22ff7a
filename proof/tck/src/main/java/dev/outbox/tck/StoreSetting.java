package dev.outbox.tck;

import dev.outbox.Claiming;
import dev.outbox.cluster.Clusters;

/**
 * How a store is to be laid out for a case of the contract.
 *
 * <p>Immutable.
 */
public record StoreSetting(Claiming claiming, int lanes, boolean archives, Clusters clusters) {
  /** That many lanes, no archive. */
  public static StoreSetting lanes(int lanes) {
    return new StoreSetting(Claiming.LANES, lanes, false, Clusters.ONE);
  }

  /** Claims by rows, no archive. */
  public static StoreSetting rows() {
    return new StoreSetting(Claiming.ROWS, 1, false, Clusters.ONE);
  }

  /** The same with an archive of delivered messages. */
  public StoreSetting archiving() {
    return new StoreSetting(claiming, lanes, true, clusters);
  }

  /** The same for one cluster among several. */
  public StoreSetting clusters(Clusters clusters) {
    return new StoreSetting(claiming, lanes, archives, clusters);
  }
}
