package dev.outbox.spi.cluster;

import dev.outbox.spi.Layout;
import dev.outbox.spi.cluster.ClusterBeat.Seen;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What the clusters of one outbox exchange through their replicated tables, and the taking over of
 * messages. Asked only where the {@link Layout#hasPeers layout} has several clusters.
 *
 * <p>Used as the session that it belongs to. Every method is one short transaction; those that
 * write wait for each other, so that what one of them saw, a later one has seen too.
 */
public interface ClusterStore {
  /** All signs of life. */
  ClusterView roll();

  /**
   * Writes the next sign of life, as {@link ClusterView#next} makes it of what is there; {@code
   * taking} names those that are taken over, and those that are not any more, with what was known
   * of them then. A cluster that has left takes the lanes from relays whose leases have run out.
   * Returns all, its own included.
   */
  ClusterView beat(Duration silence, Map<Integer, Seen> taking);

  /**
   * Ends the return that began with beat {@code since}: parked messages that others took over are
   * dropped, in as many transactions as that needs, followers that lost their head to them fall
   * due, and the cluster works. False when that is no longer so.
   */
  boolean resume(long since);

  /** Begins a handover. Nothing happens when the cluster is leaving or has left. */
  void leave();

  /** Ends a handover: the cluster returns. Nothing happens when it did neither leave nor go. */
  void comeBack();

  /**
   * A message in a lane of a cluster that is silent or has left; delayed ones have their own ids.
   */
  record Orphan(long id, boolean delayed) {}

  /** What {@link #adopt} would move, at most that many, in that order. */
  List<Orphan> look(Lane from, int atMost);

  /**
   * How far a lane reaches: the highest ids of its messages that are ready or parked, and of those
   * that are due; 0 where there are none.
   */
  record Extent(long id, long due) {
    public static final Extent NOTHING = new Extent(0, 0);

    /** Whatever is there. */
    public static final Extent ALL = new Extent(Long.MAX_VALUE, Long.MAX_VALUE);

    /** True when {@code orphan} is not beyond. */
    public boolean reaches(Orphan orphan) {
      return orphan.id() <= (orphan.delayed() ? due : id);
    }
  }

  /** How far the lane {@code from} of another cluster reaches. */
  Extent extent(Lane from);

  /** As {@link #adopt(Lease, Lane, ClusterView, Extent, int)}, of those in {@code some} only. */
  int adopt(Lease lease, Lane from, ClusterView before, List<Orphan> some);

  /**
   * Moves at most {@code atMost} messages that are ready, parked or due from the lane {@code from}
   * of another cluster to the lane of {@code lease}, each with a note of it, in their order, none
   * beyond {@code upTo}, and but for those behind a dead letter that holds their key. Returns how
   * many; none when the lease is lost, what was decided by {@code before} is {@link
   * ClusterView#allows allowed} no more, or replication changes them all the while.
   */
  int adopt(Lease lease, Lane from, ClusterView before, Extent upTo, int atMost);

  /**
   * Goes on to look through other clusters' messages for such as replication has brought after they
   * were taken over, and drops them, and the notes that are older than {@code retention}; makes
   * followers due that lost their head to another cluster. A piece of each with every call, in
   * several transactions. Returns how many messages were dropped.
   */
  int sweep(Duration retention);
}
