package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.batch.Batch;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.lane.Lanes;
import dev.outbox.internal.relay.lane.OwnedLanes;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The room for reads: which lanes may begin a batch, and how much of each, so that what the relay
 * holds in memory stays within its bounds in messages and bytes, and no lane takes the room of all
 * others.
 *
 * <p>Used by the loop thread only.
 */
/*
 * Half of the messages are shared evenly, so that a lane that begins to move always finds room, however slow the others
 * are: as much of its part as a lane does not hold is kept free for it. The rest goes to any lane that asks. Bytes are
 * bounded by the store, read by read, because only it knows the sizes. What it refuses to save may fill them for hours:
 * then a read may bring what is a lane's part of a half all the same, or one message.
 */
public final class ReadCapacity {
  private final OwnedLanes owned;
  private final RelaySettings.Volume volume;
  private final RandomGenerator random;

  public ReadCapacity(OwnedLanes owned, RelaySettings.Volume volume, RandomGenerator random) {
    this.random = random;
    this.owned = owned;
    this.volume = volume;
  }

  /** The lanes of this relay, in ascending order. */
  Lanes<ReadableLane> runs() {
    return owned.readable();
  }

  /** Lanes that can begin a batch, no more than the bound in messages allows. */
  Lanes<ReadableLane> lanes(Predicate<ReadableLane> wanted) {
    Lanes<ReadableLane> lanes = owned.readable().those(wanted);
    int fitting = Math.max(0, volume.messages() - held());
    if (lanes.size() <= fitting) {
      return lanes;
    }
    // whom the bound leaves out is a matter of chance, so that it is not always the same
    Set<ReadableLane> chosen = new HashSet<>(shuffled(lanes).subList(0, fitting));
    return lanes.those(chosen::contains);
  }

  private List<ReadableLane> shuffled(List<ReadableLane> lanes) {
    List<ReadableLane> shuffled = new ArrayList<>(lanes);
    for (int place = lanes.size() - 1; place > 0; place--) {
      Collections.swap(shuffled, place, random.nextInt(place + 1));
    }
    return shuffled;
  }

  /** One of these, by chance. */
  ReadableLane anyOf(List<ReadableLane> lanes) {
    return lanes.get(random.nextInt(lanes.size()));
  }

  /**
   * The most messages to read from each of {@code asking} lanes, none of which holds any; at least
   * 1.
   */
  int perLane(List<ReadableLane> asking) {
    int reserved = volume.messages() / 2 / Math.max(1, owned.runs().size());
    int kept = (int) owned.runs().sum(run -> Math.max(0, reserved - run.size()));
    int free = volume.messages() - held() - kept + asking.size() * reserved;
    int even = free / Math.max(1, asking.size());
    return Math.max(1, Math.min(volume.batch(), Math.max(reserved, even)));
  }

  /** The payload bytes that may be read now; may be 0. */
  long bytes() {
    long free = volume.bytes() - owned.runs().sum(LaneRun::bytes);
    return free > 0 ? free : Math.max(0, Math.min(part(), free + unsaved()));
  }

  /**
   * True when a read of at most {@code bytes} that brought {@code read} may have left messages out
   * because of their size: then a lane without messages may have some.
   */
  boolean mayHaveCut(long bytes, List<StoredEnvelope> read) {
    return !read.isEmpty() && (bytes < volume.bytes() / 4 || Batch.bytes(read) > bytes / 4);
  }

  private long part() {
    return Math.max(1, volume.bytes() / 2 / Math.max(1, owned.runs().size()));
  }

  /** The payload bytes of results that the store does not take for now. */
  private long unsaved() {
    return owned.runs().sum(run -> run.isLocked() || run.wasRefused() ? run.bytes() : 0);
  }

  /** How many messages the relay holds in memory. */
  public int held() {
    return (int) owned.runs().sum(LaneRun::size);
  }
}
