package dev.outbox.store;

import java.time.Instant;
import java.util.Map;

/**
 * A cluster's sign of life, which reaches the others in the order of its commits.
 *
 * <p>Immutable. {@code number} grows with each; {@code since} is the number of that with which it
 * last left or returned; {@code seen} is what it knew of the others when it wrote this; {@code at}
 * is told by its own clock and means nothing to anybody else.
 */
public record ClusterBeat(
    int cluster, long number, Standing standing, long since, Map<Integer, Seen> seen, Instant at) {
  public ClusterBeat {
    seen = Map.copyOf(seen);
  }

  /**
   * What one cluster knows of another, at first or second hand: its last number and since, and
   * whether it is {@code taking} over the other's messages.
   */
  public record Seen(long number, long since, boolean taking) {
    /** Never heard of. */
    public static final Seen NOTHING = new Seen(0, 0, false);

    /** What is known when this and {@code other} are. */
    public Seen and(Seen other) {
      return new Seen(
          Math.max(number, other.number), Math.max(since, other.since), taking || other.taking);
    }

    /** True when this tells of the same sign of life. */
    public boolean isSameBeat(Seen other) {
      return number == other.number && since == other.since;
    }
  }
}
