package dev.outbox.internal.relay.lane;

import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.PendingLanes;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is known of work in a lane: whether reading it is worth a statement.
 *
 * <p>Used by one thread. A fresh lane is full of news.
 */
final class PendingWork {
  private boolean ready = true;
  private boolean due = true;
  private boolean dueLast;
  private boolean dueLeft;
  private Set<String> dueWithout = Set.of();
  private boolean delayed = true;
  private boolean heldWithTopic = true;
  private boolean releasable = true;
  private List<Duration> rests = new ArrayList<>();
  private final Set<String> parkedTopics = new HashSet<>();

  PendingWork() {}

  /** True when ready messages may be there. */
  boolean hasReady() {
    return ready;
  }

  boolean hasDue() {
    return due;
  }

  /** As {@link #hasDue}, unless due ones were read last and ready ones wait: neither starves. */
  boolean isTurnOfDue() {
    return due && !(dueLast && ready);
  }

  /** True when some of the due ones that were read last stayed where they were. */
  boolean hasLeftDue() {
    return dueLeft;
  }

  boolean hasDelayed() {
    return delayed;
  }

  /**
   * True when a look {@code saw} messages in the {@code lane} that were not known, or that were and
   * {@code mayBeRead}. Delayed messages count once, as they may have to wait.
   */
  boolean isNews(Lane lane, PendingLanes saw, boolean mayBeRead) {
    return (saw.ready().contains(lane) && (mayBeRead || !ready))
        || (saw.due().contains(lane) && (mayBeRead || !due))
        || (saw.delayed().contains(lane) && !delayed);
  }

  boolean isAny() {
    return ready || due || delayed;
  }

  /** As not {@link #isAny}, and nothing is held with its topic, and no rest is to be told. */
  boolean isNone() {
    return !isAny() && !heldWithTopic && rests.isEmpty();
  }

  /**
   * True when messages may be parked that were held with a topic, and that topic is none of {@code
   * held}.
   */
  boolean hasReleasable(Set<String> held) {
    return heldWithTopic && (releasable || !held.containsAll(parkedTopics));
  }

  /** A ready message may have come. */
  void ready() {
    ready = true;
  }

  /** Parked messages are due, if they {@code are}. */
  void due(boolean are) {
    due |= are;
  }

  /** Delayed messages are due, if they {@code are}. */
  void delayed(boolean are) {
    delayed |= are;
  }

  /** These fates were written: some may have been parked, for a retry or with their topics. */
  void written(List<Fate> fates) {
    for (Fate fate : fates) {
      if (fate instanceof Fate.Park park) {
        if (park.rest() != null) {
          rests.add(park.rest());
        }
        if (park.reason() == HoldReason.TOPIC) {
          parkedTopics.add(park.storedEnvelope().envelope().topic());
        }
      }
    }
    heldWithTopic |= !parkedTopics.isEmpty();
  }

  /** The rests of messages that were parked since the last call, and are tried again. */
  List<Duration> takeRests() {
    List<Duration> taken = rests;
    if (!taken.isEmpty()) {
      rests = new ArrayList<>();
    }
    return taken;
  }

  /** The hold of a topic began or ended; now those of {@code held} are. */
  void mayRelease(Set<String> held) {
    releasable = true;
    due |= !held.containsAll(dueWithout);
  }

  /** Messages of every kind may have come. */
  void everywhere() {
    ready = true;
    due = true;
    delayed = true;
  }

  /** Ready messages were read, all that there were or only some. */
  void readReady(boolean all) {
    ready = !all;
    dueLast = false;
  }

  /** Some of a read stayed where they were. */
  void left(boolean parked) {
    ready |= !parked;
    due |= parked;
    dueLeft |= parked;
  }

  /** Due ones were read, {@code without} those of some topics. */
  void readDue(List<StoredEnvelope> read, Set<String> without) {
    due = !read.isEmpty();
    dueLast = due;
    dueLeft = false;
    dueWithout = without;
  }

  /** Delayed messages became ready: {@code some}, and {@code all} that were due. */
  void promoted(boolean some, boolean all) {
    ready |= some;
    delayed &= !all;
  }

  /**
   * Messages that were held with a topic go on: {@code some}, and {@code all} that may; others stay
   * while {@code someHeld}.
   */
  void released(boolean some, boolean all, boolean someHeld) {
    due |= some;
    if (all) {
      releasable = false;
      parkedTopics.clear();
      heldWithTopic = heldWithTopic && someHeld;
    }
  }
}
