package dev.outbox.spi.cluster;

import dev.outbox.cluster.ClusterState;
import dev.outbox.spi.Layout;
import dev.outbox.spi.cluster.ClusterBeat.Seen;
import dev.outbox.spi.cluster.ClusterBeat.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All signs of life as one cluster's tables show them at a moment.
 *
 * <p>Immutable. {@code now} is the clock of the tables that also wrote the own beat.
 */
public record ClusterView(Layout layout, Map<Integer, ClusterBeat> beats, Instant now) {
  /** Of each cluster that wrote one, its last beat. */
  public static ClusterView of(Layout layout, Collection<ClusterBeat> all, Instant now) {
    Map<Integer, ClusterBeat> last = new TreeMap<>();
    all.forEach(
        beat ->
            last.merge(
                beat.cluster(), beat, (one, two) -> one.number() > two.number() ? one : two));
    return new ClusterView(layout, last, now);
  }

  public ClusterView {
    beats = Map.copyOf(beats);
  }

  /** The number of the cluster whose tables these are. */
  public int own() {
    return layout.cluster();
  }

  /**
   * Those whose tables have another shape than these, and which: their lanes are not those that
   * they are taken for here.
   */
  public Map<Integer, Shape> misfits() {
    Shape mine = Shape.of(layout);
    Map<Integer, Shape> misfits = new TreeMap<>();
    beats.forEach(
        (cluster, beat) -> {
          if (!beat.shape().equals(mine)) {
            misfits.put(cluster, beat.shape());
          }
        });
    return misfits;
  }

  /** What {@code cluster} said last, or null when it never did. */
  public @Nullable ClusterBeat of(int cluster) {
    return beats.get(cluster);
  }

  /** The state of this cluster; it works until it says otherwise. */
  public ClusterState clusterState() {
    ClusterBeat mine = of(own());
    return mine == null ? ClusterState.WORKING : mine.clusterState();
  }

  /** The number of this cluster's last beat; 0 when there was none. */
  public long number() {
    ClusterBeat mine = of(own());
    return mine == null ? 0 : mine.number();
  }

  /** The number of the beat with which this cluster last left or returned; 0 when it never did. */
  public long since() {
    ClusterBeat mine = of(own());
    return mine == null ? 0 : mine.since();
  }

  /** What is known of {@code cluster}, by its own beat and by what the others have seen of it. */
  public Seen known(int cluster) {
    ClusterBeat direct = of(cluster);
    Seen known = direct == null ? Seen.NOTHING : new Seen(direct.number(), direct.since(), false);
    for (ClusterBeat beat : beats.values()) {
      Seen told = beat.seen().get(cluster);
      if (told != null && beat.cluster() != cluster) {
        known = known.and(new Seen(told.number(), told.since(), false));
      }
    }
    return known;
  }

  /** True when {@code cluster} has handed over, and no cluster has heard of its return. */
  public boolean hasLeft(int cluster) {
    ClusterBeat beat = of(cluster);
    return beat != null
        && beat.clusterState() == ClusterState.LEFT
        && known(cluster).since() == beat.since();
  }

  /**
   * True when nothing has been heard of {@code cluster} since that much was known of it, but that
   * one which had left lives.
   */
  public boolean confirms(int cluster, Seen before) {
    Seen known = known(cluster);
    return known.isSameBeat(before) || (hasLeft(cluster) && known.since() == before.since());
  }

  /**
   * True when {@code cluster} may be taking over from others, for all that is known here. Of one
   * that is taken over itself, has left or returns it is known that it does not, unless others have
   * heard something newer of it than has come from itself.
   */
  public boolean mayTakeOver(int cluster) {
    Seen known = known(cluster);
    if (known.number() == 0 || isMarked(cluster)) {
      return false;
    }
    ClusterBeat beat = of(cluster);
    if (beat == null || known.since() > beat.since()) {
      return true;
    }
    return beat.clusterState() == ClusterState.WORKING
        || (beat.clusterState() == ClusterState.RETURNING && known.number() > beat.number());
  }

  /**
   * True when {@code peer} has answered a beat in which this cluster worked, since it does so. With
   * the answer has come all that it took over before it heard of it.
   */
  public boolean isHeardBy(int peer) {
    Seen works = seenLast(own());
    return works.number() > 0 && hasSeen(peer, works.number());
  }

  /**
   * True when what {@code before} allowed is still so: this cluster works and has not returned
   * meanwhile, says of {@code cluster} what it said, knows nothing new of it, and no cluster may be
   * taking over that was not then, or had heard this cluster then and has not now.
   */
  public boolean allows(int cluster, ClusterView before) {
    return clusterState() == ClusterState.WORKING
        && since() == before.since()
        && seenLast(own()).number() == before.seenLast(own()).number()
        && isMarked(cluster) == before.isMarked(cluster)
        && confirms(cluster, before.known(cluster))
        && IntStream.range(0, layout.clusters())
            .filter(peer -> peer != own() && peer != cluster)
            .filter(this::mayTakeOver)
            .allMatch(
                peer -> before.mayTakeOver(peer) && (isHeardBy(peer) || !before.isHeardBy(peer)));
  }

  /**
   * This cluster's next beat. It returns when it was silent for longer than {@code silence} or
   * another says that it has taken over from it; it has left once no lane is leased any more.
   * {@code taking} says of others that they are taken over, or are not any more.
   */
  public ClusterBeat next(Duration silence, Map<Integer, Seen> taking, boolean isAnyLaneLeased) {
    ClusterBeat mine = of(own());
    if (mine == null) {
      return beat(ClusterState.WORKING, 0, taking);
    }
    boolean late = Duration.between(mine.at(), now).compareTo(silence) > 0;
    return switch (mine.clusterState()) {
      case WORKING ->
          late || isBeingTakenOver()
              ? turning(ClusterState.RETURNING, taking)
              : again(mine, taking);
      case RETURNING -> late ? turning(ClusterState.RETURNING, taking) : again(mine, taking);
      case LEAVING -> isAnyLaneLeased ? again(mine, taking) : turning(ClusterState.LEFT, taking);
      case LEFT -> again(mine, taking);
    };
  }

  /** Another cluster took this one for dead, and has not been answered by a return yet. */
  private boolean isBeingTakenOver() {
    return beats.values().stream()
        .filter(beat -> beat.cluster() != own())
        .map(beat -> beat.seen().getOrDefault(own(), Seen.NOTHING))
        .anyMatch(seen -> seen.taken() >= since());
  }

  /** The beat of a cluster that has much to clear up before it works again. */
  public ClusterBeat stillReturning() {
    return beat(ClusterState.RETURNING, since(), Map.of());
  }

  /** The beat with which a cluster that returned works again. */
  public ClusterBeat resuming() {
    return beat(ClusterState.WORKING, since(), Map.of());
  }

  private ClusterBeat again(ClusterBeat mine, Map<Integer, Seen> taking) {
    return beat(mine.clusterState(), mine.since(), taking);
  }

  /** The beat with which this cluster enters that state. */
  public ClusterBeat turning(ClusterState clusterState, Map<Integer, Seen> taking) {
    return beat(clusterState, nextNumber(), taking);
  }

  private ClusterBeat beat(ClusterState clusterState, long since, Map<Integer, Seen> taking) {
    Set<Integer> all = new HashSet<>(beats.keySet());
    beats.values().forEach(each -> all.addAll(each.seen().keySet()));
    all.addAll(taking.keySet());
    all.remove(own());
    Map<Integer, Seen> seen = new HashMap<>();
    all.forEach(
        cluster ->
            seen.put(
                cluster,
                see(cluster, clusterState == ClusterState.WORKING && isTaking(cluster, taking))));
    if (clusterState == ClusterState.WORKING) {
      seen.put(own(), seeOwn(since));
    }
    return new ClusterBeat(own(), nextNumber(), clusterState, since, seen, now, Shape.of(layout));
  }

  /** Since when this cluster works, and whether all have heard it that may be taking over. */
  private Seen seeOwn(long since) {
    ClusterBeat mine = of(own());
    Seen last = mine == null ? null : mine.seen().get(own());
    long first = last == null ? nextNumber() : last.number();
    boolean heard =
        IntStream.range(0, layout.clusters())
            .filter(peer -> peer != own() && mayTakeOver(peer))
            .allMatch(peer -> hasSeen(peer, first));
    return new Seen(first, since, heard);
  }

  private boolean hasSeen(int peer, long number) {
    ClusterBeat beat = of(peer);
    return beat != null && beat.seen().getOrDefault(own(), Seen.NOTHING).number() >= number;
  }

  private Seen see(int cluster, boolean taking) {
    Seen known = known(cluster);
    return new Seen(
        known.number(), known.since(), taking, taking ? known.number() : seenLast(cluster).taken());
  }

  /** A mark stays for as long as nothing new is known and the relay that beats does not deny it. */
  private boolean isTaking(int cluster, Map<Integer, Seen> taking) {
    Seen asked = taking.get(cluster);
    if (asked == null || !confirms(cluster, asked)) {
      return isMarked(cluster);
    }
    return asked.taking();
  }

  /** True when this cluster's last beat says that it takes over, and nothing new is known since. */
  public boolean isMarked(int cluster) {
    Seen last = seenLast(cluster);
    return last.taking() && confirms(cluster, last);
  }

  /** What this cluster's last beat says of another. */
  private Seen seenLast(int cluster) {
    ClusterBeat mine = of(own());
    return mine == null ? Seen.NOTHING : mine.seen().getOrDefault(cluster, Seen.NOTHING);
  }

  /** Grows also when the tables were restored from an older copy. */
  private long nextNumber() {
    ClusterBeat mine = of(own());
    return Math.max(known(own()).number() + 1, mine == null ? 1 : now.toEpochMilli());
  }
}
