package dev.outbox.internal.relay.cluster;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.Layout;
import dev.outbox.spi.cluster.ClusterBeat;
import dev.outbox.spi.cluster.ClusterBeat.Seen;
import dev.outbox.spi.cluster.ClusterView;
import dev.outbox.spi.lane.Lane;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Knows which clusters live, whose messages are to be taken over, and whose turn it is.
 *
 * <p>Used by one thread. It asks nobody: it is shown the signs of life, and told the time.
 */
/*
 * Silence is the time since something new was last heard of a cluster, by the clock of the listener: no clock is ever
 * compared with another's. What a third cluster has heard counts too, so that one whose stream to us is slow or cut is
 * not taken for dead while another cluster hears it.
 *
 * A cluster that hears no other knows nothing: it may be the one that is cut off. So no other is overdue for a cluster
 * that hears none, and when it hears again, or stood still itself, everybody's silence begins again: what is still on
 * its way must have time to come.
 *
 * What the cluster has marked all its relays must do: the others count on it. A mark that stands when a relay begins,
 * or was deaf, may be of one that is gone, so the relay takes it back. One that stands after that was set by a relay
 * that lives and hears: whoever sees it goes along.
 *
 * Of the clusters that live one is first for each lane, by a hash on which all agree. It takes over at once. The next
 * ones are for what the first never received: see OrphanQueue.
 *
 * One that begins to work, or does so again, is not first for a cluster that has not heard of it: that one takes over
 * too. So a cluster that has not answered a beat in which this one worked comes before it, whatever the hash says. With
 * the answer has come all that was taken over until then; see ClusterView.allows.
 */
final class PeerMonitor {
  private final Layout layout;
  private final Duration maximumDelay;
  private final Map<Integer, Peer> peers = new TreeMap<>();
  private ClusterView roll;
  private Ticker.@Nullable Moment lastHeard;

  PeerMonitor(Layout layout, Duration maximumDelay, ClusterView first, Ticker.Moment now) {
    this.layout = layout;
    this.maximumDelay = maximumDelay;
    this.roll = first;
    others().forEach(cluster -> peers.put(cluster, new Peer(first, cluster, now)));
  }

  /** What is remembered of another cluster. */
  private static final class Peer {
    long direct;
    Seen known;
    Ticker.Moment changed;
    boolean taken;
    boolean trusts;
    boolean denied;

    Peer(ClusterView roll, int cluster, Ticker.Moment now) {
      ClusterBeat beat = roll.of(cluster);
      this.direct = beat == null ? 0 : beat.number();
      this.known = roll.known(cluster);
      this.changed = now;
      this.denied = roll.isMarked(cluster);
    }
  }

  private Stream<Integer> others() {
    return IntStream.range(0, layout.clusters())
        .filter(cluster -> cluster != layout.cluster())
        .boxed();
  }

  /** The signs of life stood so at {@code now}. */
  void observe(ClusterView seen, Ticker.Moment now) {
    boolean heardBefore = hears(now);
    roll = seen;
    boolean heard = false;
    for (Map.Entry<Integer, Peer> entry : peers.entrySet()) {
      heard |= listen(entry.getKey(), entry.getValue(), now);
    }
    if (heard) {
      lastHeard = now;
    }
    if (heard && !heardBefore) {
      peers.values().forEach(peer -> peer.changed = now);
    }
    peers.forEach((cluster, peer) -> judge(cluster, peer, heardBefore, now));
  }

  private void judge(int cluster, Peer peer, boolean heardBefore, Ticker.Moment now) {
    boolean isMarked = roll.isMarked(cluster);
    peer.trusts = heardBefore && (peer.trusts || !isMarked);
    peer.denied = isMarked && !peer.trusts;
    boolean along = isMarked && peer.trusts && hears(now);
    boolean toTake = along || hasLeft(cluster, now) || isOverdue(peer, now);
    peer.taken = toTake && roll.misfits().isEmpty();
  }

  /**
   * A cluster that hears no other may be alone with its news; but with two clusters it is the only
   * taker.
   */
  private boolean hasLeft(int cluster, Ticker.Moment now) {
    return roll.hasLeft(cluster) && (hears(now) || peers.size() == 1);
  }

  /** True when a beat has come from the cluster itself. */
  private boolean listen(int cluster, Peer peer, Ticker.Moment now) {
    Seen known = roll.known(cluster);
    if (!known.isSameBeat(peer.known)) {
      peer.known = known;
      peer.changed = now;
    }
    ClusterBeat beat = roll.of(cluster);
    boolean isNew = beat != null && beat.number() != peer.direct;
    peer.direct = beat == null ? 0 : beat.number();
    return isNew;
  }

  /** True when a beat of any other cluster has come of late. */
  private boolean hears(Ticker.Moment now) {
    return lastHeard != null && now.since(lastHeard).compareTo(maximumDelay.dividedBy(2)) <= 0;
  }

  private boolean isOverdue(Peer peer, Ticker.Moment now) {
    return hears(now) && now.surelySince(peer.changed).compareTo(maximumDelay) >= 0;
  }

  /** Those that are to be taken over, with what is known of them. */
  Map<Integer, Seen> taking() {
    return peers.entrySet().stream()
        .filter(entry -> entry.getValue().taken)
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().known));
  }

  /** What the next beat is to say: who is taken over, and who is not any more. */
  Map<Integer, Seen> marks() {
    return peers.entrySet().stream()
        .filter(entry -> entry.getValue().taken || entry.getValue().denied)
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> mark(entry.getValue())));
  }

  private static Seen mark(Peer peer) {
    return new Seen(peer.known.number(), peer.known.since(), peer.taken);
  }

  /** Those that are to take over {@code lane} of {@code cluster} before this one. */
  List<Integer> before(int cluster, Lane lane) {
    Lane from = layout.of(cluster, lane);
    long ours = weight(from, layout.cluster());
    return others()
        .filter(peer -> peer != cluster && roll.mayTakeOver(peer))
        .filter(peer -> weight(from, peer) < ours || !roll.isHeardBy(peer))
        .toList();
  }

  /**
   * True when all of {@code before} say that they take over from {@code cluster}, and that all have
   * heard that they work, in a beat that was written after they had received this cluster's own
   * beat {@code number}.
   */
  boolean agree(List<Integer> before, int cluster, long number) {
    return before.stream().map(roll::of).allMatch(beat -> agrees(beat, cluster, number));
  }

  private boolean agrees(@Nullable ClusterBeat beat, int cluster, long number) {
    if (beat == null) {
      return false;
    }
    Seen mark = beat.seen().getOrDefault(cluster, Seen.NOTHING);
    return mark.taking()
        && roll.confirms(cluster, mark)
        && beat.seen().getOrDefault(beat.cluster(), Seen.NOTHING).taking()
        && beat.seen().getOrDefault(layout.cluster(), Seen.NOTHING).number() >= number;
  }

  /** The same everywhere; spreads the lanes of one cluster evenly over the others. */
  static long weight(Lane lane, int cluster) {
    long mixed = lane.number() * 0x9E3779B97F4A7C15L + cluster * 0xC2B2AE3D27D4EB4FL;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  /** Those that have ever spoken and have not said yet that they heard of this cluster's return. */
  Set<Integer> unheard() {
    return roll.beats().values().stream()
        .filter(beat -> beat.cluster() != layout.cluster())
        .filter(
            beat ->
                beat.seen().getOrDefault(layout.cluster(), Seen.NOTHING).number() < roll.since())
        .map(ClusterBeat::cluster)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
