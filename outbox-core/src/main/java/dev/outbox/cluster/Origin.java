package dev.outbox.cluster;

/**
 * Which cluster a message was written in, and whether another one took it over from there.
 *
 * <p>Immutable. One database is one cluster, with the number 0. A message that was taken over may
 * have been published by its own cluster before that went silent: a consumer that cannot bear a
 * repeat reads this mark.
 *
 * <pre>{@code
 * boolean mayBeARepeat = envelope.origin().takenOver();
 * Origin origin = Origin.of(1, 0); // written in cluster 1, taken over by cluster 0
 * }</pre>
 */
public record Origin(int cluster, boolean takenOver) {
  /** Of the only cluster there is. */
  public static final Origin HERE = new Origin(0, false);

  /**
   * @throws IllegalArgumentException when the cluster is negative
   */
  public Origin {
    if (cluster < 0) {
      throw new IllegalArgumentException("cluster is " + cluster + ", the minimum is 0");
    }
  }

  /** The origin of a message written in {@code cluster} that is in a lane of {@code holder}. */
  public static Origin of(int cluster, int holder) {
    return cluster == 0 && holder == 0 ? HERE : new Origin(cluster, cluster != holder);
  }
}
