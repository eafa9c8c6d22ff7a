package dev.outbox.spi.cluster;

import dev.outbox.cluster.ClusterState;
import dev.outbox.spi.Layout;
import java.time.Instant;
import java.util.Map;

/**
 * A cluster's sign of life, which reaches the others in the order of its commits.
 *
 * <p>Immutable. {@code number} grows with each; {@code since} is the number of that with which it
 * last left or returned; {@code seen} is what it knew of the others when it wrote this, and, while
 * it works, of itself: since which number it does, and whether all have heard that who may be
 * taking over; {@code at} is the time of its own clock and means nothing to other clusters; {@code
 * shape} is that of its tables.
 */
public record ClusterBeat(
    int cluster,
    long number,
    ClusterState clusterState,
    long since,
    Map<Integer, Seen> seen,
    Instant at,
    Shape shape) {
  public ClusterBeat {
    seen = Map.copyOf(seen);
  }

  /** What has to be the same in all clusters: how many lanes each has, and how many they are. */
  public record Shape(int lanes, int clusters) {
    /** Of the tables that are laid out so. */
    public static Shape of(Layout layout) {
      return new Shape(layout.lanes(), layout.clusters());
    }

    @Override
    public String toString() {
      return "%d lanes, %d clusters".formatted(lanes, clusters);
    }
  }

  /**
   * What one cluster knows of another, at first or second hand: its last number and since, whether
   * it is {@code taking} over the other's messages, and the number at which it did so last, which
   * stays when the taking ends: the other may hear of both at once.
   */
  public record Seen(long number, long since, boolean taking, long taken) {
    /** The {@code taken} of one that never was taken over. */
    public static final long NEVER = -1;

    /** Never heard of. */
    public static final Seen NOTHING = new Seen(0, 0, false);

    /** What is known of one that is taken over, or that never was. */
    public Seen(long number, long since, boolean taking) {
      this(number, since, taking, taking ? number : NEVER);
    }

    /** What is known when this and {@code other} are. */
    public Seen and(Seen other) {
      return new Seen(
          Math.max(number, other.number),
          Math.max(since, other.since),
          taking || other.taking,
          Math.max(taken, other.taken));
    }

    /** True when this is of the same sign of life. */
    public boolean isSameBeat(Seen other) {
      return number == other.number && since == other.since;
    }
  }
}
