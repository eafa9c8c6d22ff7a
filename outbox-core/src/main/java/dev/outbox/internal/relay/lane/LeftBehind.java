package dev.outbox.internal.relay.lane;

import java.util.HashSet;
import java.util.Set;

/**
 * What reads have left where it is for now, so that they begin above it.
 *
 * <p>Used by one thread.
 */
final class LeftBehind {
  private final Set<String> topics = new HashSet<>();
  private boolean skipping;
  private long skipped;
  private long awaited;
  private long goingTo;

  /** Everything up to {@code visible} is left; beyond it, up to {@code last}, all is to be seen. */
  void leave(Set<String> topics, long visible, long last) {
    skipping = true;
    skipped = Math.max(skipped, visible);
    awaited = last;
    this.topics.addAll(topics);
  }

  boolean isSkipping() {
    return skipping;
  }

  /** The highest id that is left, or 0. */
  long skipped() {
    return skipped;
  }

  /** True while not everything is visible among what was left: a read would return it again. */
  boolean isWaiting(long safe) {
    return skipping && awaited > safe;
  }

  /** Reads begin at the floor again. True when they did not. */
  boolean goBack() {
    boolean did = skipping;
    skipping = false;
    skipped = 0;
    goingTo = 0;
    return did;
  }

  /** As {@link #goBack}, to go through all that was left, up to {@code cursor}. */
  boolean goThrough(long cursor) {
    boolean did = goBack();
    goingTo = cursor;
    return did;
  }

  /** True until reads have come to {@code cursor}, where they were before they went back. */
  boolean isGoingThrough(long cursor) {
    return cursor < goingTo;
  }

  /** Reads have come to the end. */
  void wentThrough() {
    goingTo = 0;
  }

  /**
   * The topics of what has been left, and may be below where reads begin. A batch in flight may yet
   * skip what it was read above: so they are forgotten only when the next read returns.
   */
  Set<String> topics() {
    return topics;
  }

  /** The topics of what was left below where the read began that has returned now. */
  Set<String> topicsBelow() {
    if (!skipping) {
      topics.clear();
    }
    return topics;
  }
}
