package dev.outbox.store;

import dev.outbox.message.Lane;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the clusters of one outbox tell each other through their replicated tables, and the taking
 * over of messages. Asked only where the {@link Layout#hasPeers layout} has several clusters.
 *
 * <p>Used as the session that it belongs to. Every method is a short transaction of its own; those
 * that write wait for each other, so that what one of them saw, a later one has seen too.
 */
public interface ClusterStore {
  /** All signs of life. */
  ClusterRoll roll();

  /**
   * Writes the next sign of life, as {@link ClusterRoll#next} makes it of what stands there; {@code
   * taking} names those that are taken over, with what was known of them then. A cluster that has
   * left takes the lanes from relays whose leases have run out. Returns all, its own included.
   */
  ClusterRoll beat(Duration silence, Map<Integer, ClusterBeat.Seen> taking);

  /**
   * Ends the return that began with beat {@code since}: parked messages that others took over are
   * dropped, followers that lost their head to them fall due, and the cluster works. False when it
   * does not stand so any more.
   */
  boolean resume(long since);

  /** Begins a handover. Nothing happens when the cluster is leaving or has left. */
  void leave();

  /** Ends a handover: the cluster returns. Nothing happens when it did neither leave nor go. */
  void comeBack();

  /**
   * A message in a lane of a cluster that is silent or has left; delayed ones have ids of their
   * own.
   */
  record Orphan(long id, boolean delayed) {}

  /** What {@link #adopt} would move, at most so many, in that order. */
  List<Orphan> look(Lane from, int atMost);

  /** As {@link #look} says, but of those in {@code some} only. */
  int adopt(Lease lease, Lane from, ClusterBeat.Seen known, Set<Orphan> some);

  /**
   * Moves at most {@code atMost} messages that are ready, parked or due from the lane {@code from}
   * of another cluster to the lane of {@code lease}, each with a note of it, in their order, and
   * but for those behind a dead letter that holds their key. Returns how many; none when the lease
   * is lost, this cluster does not work, or more than {@code known} is known of the other cluster.
   */
  int adopt(Lease lease, Lane from, ClusterBeat.Seen known, int atMost);

  /**
   * Drops what replication has brought of other clusters' messages after they were taken over, and
   * the notes that are older than {@code retention}; makes followers due that lost their head to
   * another cluster. Returns how many messages were dropped.
   */
  int sweep(Duration retention);
}
