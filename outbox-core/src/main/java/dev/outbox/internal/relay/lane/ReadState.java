package dev.outbox.internal.relay.lane;

import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the reads of a lane have told: whether there is more, where the next one begins, whom to be
 * careful with, and whether it is crowded with messages of held topics.
 *
 * <p>Used by the loop thread only.
 */
public final class ReadState {
  private final LaneFloor floor;
  private final CrashSuspicion crashSuspicion;
  private final PendingWork news = new PendingWork();
  private final Set<String> leftBehind = new HashSet<>();
  private boolean parkedLast;
  private boolean crowded;
  private long goingTo;

  ReadState(LaneClaim claim) {
    this.floor = new LaneFloor(claim.lease().floor());
    this.crashSuspicion = new CrashSuspicion(claim);
  }

  LaneFloor floor() {
    return floor;
  }

  PendingWork news() {
    return news;
  }

  CrashSuspicion crashSuspicion() {
    return crashSuspicion;
  }

  public boolean isCareful() {
    return crashSuspicion.isCareful();
  }

  /** True when messages of held topics are most of what is read here, and more are waiting. */
  public boolean isCrowded() {
    return crowded && news.hasReady();
  }

  /**
   * True unless the last batch was one of parked messages and ready ones are waiting: neither kind
   * starves.
   */
  boolean isTurnOfParked() {
    return !(parkedLast && news.hasReady());
  }

  /** How many messages to read, when {@code most} are allowed. */
  public int limit(int most) {
    return crashSuspicion.hasSeenSuspects() ? 1 : most;
  }

  /** Ready messages were read: the {@code whole} lane, or there may be more. */
  void readReady(List<StoredEnvelope> ready, boolean whole) {
    news.readReady(whole);
    goingTo = whole ? 0 : goingTo;
    parkedLast = false;
    if (!ready.isEmpty()) {
      crashSuspicion.read(ready);
    }
  }

  /** Ready messages were read past held topics: these at least are left. */
  void readPast() {
    news.readReady(false);
    parkedLast = false;
  }

  void readDue(List<StoredEnvelope> due) {
    news.readDue(due);
    parkedLast = !due.isEmpty();
  }

  /** There are surely no ready messages, of those up to {@code safe} and of those committed. */
  public void foundEmpty(long safe) {
    floor.empty(safe);
    if (!floor.isSkipping() && !news.hasDue()) {
      crashSuspicion.empty();
    }
    readReady(List.of(), true);
    crowded = false;
  }

  /**
   * Topics that have been left, and may stand below where reads begin. Unlike {@link #leftBehind}
   * it forgets nothing: a batch in flight may yet skip what it was read above.
   */
  public Set<String> left() {
    return leftBehind;
  }

  /** The topics of what was left below where a read begins now. */
  Set<String> leftBehind() {
    if (!floor.isSkipping()) {
      leftBehind.clear();
    }
    return leftBehind;
  }

  /** What was left in its table is read again. */
  public void goBackToTheFloor() {
    goingTo = 0;
    if (floor.unskip()) {
      news.ready();
    }
  }

  /** As {@link #goBackToTheFloor}, to go through all that was left. */
  public void goBackForAProbe() {
    long before = floor.cursor();
    goBackToTheFloor();
    goingTo = before;
  }

  /** Ids may have gone back. */
  public void forget() {
    goingTo = 0;
    floor.forget();
  }

  /** Ids went back. */
  public void beginAnew() {
    forget();
    crashSuspicion.forget();
  }

  /** True until reads are again where they were before they went back, or at the lane's end. */
  boolean isGoingThrough() {
    return floor.cursor() < goingTo;
  }

  /** The end of a batch was written. */
  void ended(Batch batch) {
    Long left = batch.firstLeft();
    if (left != null && batch.leavesHeldTopics()) {
      floor.skip();
      leftBehind.addAll(batch.topicsLeft());
    } else if (left != null) {
      news.left(batch.isParked());
    }
    if (!batch.isParked()) {
      floor.settled(left);
      if (!floor.hasReadAbove()) {
        crowded = batch.isMostlyHeld();
        crashSuspicion.settled(left == null ? batch.lastId() : left - 1);
      }
    }
  }
}
