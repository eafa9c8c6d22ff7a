package dev.outbox.internal.relay.lane;

import dev.outbox.spi.settle.StoredEnvelope;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is known of work in a lane: whether reading it is worth a statement.
 *
 * <p>Used by one thread. A fresh lane is full of news.
 */
public final class PendingWork {
  private boolean ready = true;
  private boolean due = true;
  private boolean delayed = true;
  private boolean heldWithTopic = true;
  private boolean releasable = true;
  private final Set<String> parkedTopics = new HashSet<>();

  public boolean hasReady() {
    return ready;
  }

  public boolean hasDue() {
    return due;
  }

  public boolean hasDelayed() {
    return delayed;
  }

  boolean isAny() {
    return ready || due || delayed;
  }

  /**
   * True when messages may be parked that were held with a topic, and that topic is none of {@code
   * held}.
   */
  public boolean hasReleasable(Set<String> held) {
    return heldWithTopic && (releasable || !held.containsAll(parkedTopics));
  }

  public void ready() {
    ready = true;
  }

  public void due() {
    due = true;
  }

  public void delayed() {
    delayed = true;
  }

  /** Messages were parked because {@code topics} were held. */
  void parkedWith(Set<String> topics) {
    heldWithTopic |= !topics.isEmpty();
    parkedTopics.addAll(topics);
  }

  /** The hold of a topic began or ended. */
  public void mayRelease() {
    releasable = true;
  }

  public void everywhere() {
    ready = true;
    due = true;
    delayed = true;
  }

  /** Ready messages were read, all that there were or only some. */
  void readReady(boolean all) {
    ready = !all;
  }

  /** Some of a read stayed where they were. */
  void left(boolean parked) {
    ready |= !parked;
    due |= parked;
  }

  void readDue(List<StoredEnvelope> read) {
    due = !read.isEmpty();
  }

  /** Every delayed message that is due was promoted. */
  public void promotedAll() {
    delayed = false;
  }

  /**
   * Every message that was held with a topic, and may go on, was released; others may be left when
   * {@code someHeld}.
   */
  public void releasedAll(boolean someHeld) {
    releasable = false;
    parkedTopics.clear();
    heldWithTopic = heldWithTopic && someHeld;
  }
}
