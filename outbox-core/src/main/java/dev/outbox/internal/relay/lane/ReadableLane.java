package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.base.Visible;
import dev.outbox.internal.relay.batch.Batch;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.PendingLanes;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A lane as its readers know it. They ask it whether a read is worth a statement and where it
 * begins, and tell it what the read returned.
 *
 * <p>Used by the loop thread only.
 */
public abstract class ReadableLane extends ClaimedLane {
  private final LaneFloor floor;
  private final PendingWork pending = new PendingWork();
  private boolean mostlyHeld;

  ReadableLane(LaneClaim claim, Ticker.Moment beforeClaim, Duration sureFor) {
    super(claim, beforeClaim, sureFor);
    this.floor = new LaneFloor(claim.lease().floor());
  }

  /** True when nothing is under way, so that a batch can begin. */
  public abstract boolean canRead(Ticker.Moment now);

  /** True while reads go through all that was left, for a probe. */
  public abstract boolean isGoneThrough();

  /** Begins a batch; of the topics {@code leftBehind} earlier messages were passed over. */
  abstract void begin(List<StoredEnvelope> read, Batch.Held ofHeldTopics, Set<String> leftBehind);

  /**
   * True when nothing is under way, known, awaited or left here, so that no more is to be done than
   * to keep the lease.
   */
  public boolean isQuiet() {
    return pending.isNone() && !floor.isSweeping() && !floor.left().isSkipping() && !isCareful();
  }

  /** True when ready messages may be there. */
  public boolean hasReady() {
    return pending.hasReady();
  }

  /** True when a read of ready messages may find some, above the floor or in a sweep below it. */
  public boolean isWorthReading() {
    return pending.hasReady() || floor.isSweeping();
  }

  /** As {@link #canRead}, for parked messages, in turn with ready ones: neither kind starves. */
  public boolean canReadDue(Ticker.Moment now) {
    return pending.isTurnOfDue() && canRead(now);
  }

  /** True when the last read of due messages brought more than could go on. */
  public boolean hasLeftDue() {
    return pending.hasLeftDue();
  }

  /** True when delayed messages may be promoted. */
  public boolean canPromote(Ticker.Moment now) {
    return pending.hasDelayed() && isSure(now) && !isLeaving();
  }

  /** True when messages may go on that were held with a topic which is none of {@code held}. */
  public boolean canRelease(Set<String> held, Ticker.Moment now) {
    return pending.hasReleasable(held) && isSure(now);
  }

  /** True when something waits for the end of the batch. */
  public boolean isWaitedFor() {
    return pending.isAny();
  }

  /** True when messages of held topics are most of what is read here, and more are waiting. */
  public boolean isMostlyHeld() {
    return mostlyHeld && pending.hasReady();
  }

  /** The id below which nothing is left. */
  public long floor() {
    return floor.get();
  }

  /** True when the next read may wade through much that is dead. */
  public boolean isLow() {
    return floor.isLow();
  }

  /** True when a sweep that has come up to {@code id} has more to look through. */
  public boolean canSweepAbove(long id) {
    return floor.get() > id && !floor.isSweeping();
  }

  /** Where a read of ready messages goes on. */
  public Cursor cursor(int most) {
    return new Cursor(lane(), floor.cursor(), limit(most));
  }

  /** Where a look for ready messages begins: above those that are under way. */
  public Cursor lookCursor() {
    return new Cursor(lane(), floor.lookCursor(), 1);
  }

  /** Where a read goes on past what it has left behind. */
  public Cursor cursorPast(int limit) {
    return new Cursor(lane(), floor.cursorPast(), limit);
  }

  /** As {@link #cursorPast}, above the {@code reach} of such a read. */
  public Cursor cursorBeyond(long reach) {
    return new Cursor(lane(), floor.cursorPast() + reach, 1);
  }

  /** True while not everything is visible among what was left: a read would return it again. */
  public boolean isWaiting(long safe) {
    return floor.left().isWaiting(safe);
  }

  /** True when reads begin above what was left for now. */
  public boolean isSkipping() {
    return floor.left().isSkipping();
  }

  /** The topics of what has been left, and may be below where reads begin. */
  public Set<String> topicsLeft() {
    return floor.left().topics();
  }

  /** True until reads are again where they were before they went back, or at the lane's end. */
  boolean isGoingThrough() {
    return floor.left().isGoingThrough(floor.cursor());
  }

  /** What was left in its table is read again. */
  public void goBackToTheFloor() {
    if (floor.left().goBack()) {
      pending.ready();
    }
  }

  /** As {@link #goBackToTheFloor}, to go through all that was left. */
  public void goBackForAProbe() {
    if (floor.left().goThrough(floor.cursor())) {
      pending.ready();
    }
  }

  /** Other topics are held now: reads past them begin at the floor. */
  public void passNothing() {
    floor.passNothing();
  }

  /** Something was found below the floor: the next read begins at {@code id}. */
  public void sweepFrom(long id) {
    floor.sweepFrom(id);
  }

  /**
   * Begins a batch of ready messages, if there are any: the {@code whole} lane, or there are more.
   * Returns how many were below the floor.
   */
  public int begin(
      List<StoredEnvelope> read, Batch.Held ofHeldTopics, boolean whole, Visible seen) {
    int late = floor.read(read, seen);
    readReady(whole);
    if (!read.isEmpty()) {
      crashSuspicion().read(read);
      begin(read, ofHeldTopics, floor.left().topicsBelow());
    }
    return late;
  }

  /** Begins a batch that was read past held topics, if there are any; there may be more. */
  public void beginPast(List<StoredEnvelope> ready, long safe) {
    floor.readPast(ready, safe);
    pending.readReady(false);
    if (!ready.isEmpty()) {
      begin(ready, Batch.Held.PARK, Set.of());
    }
  }

  /** Begins a batch of parked messages, or of none; read {@code without} those of some topics. */
  public void beginDue(List<StoredEnvelope> due, Set<String> without) {
    pending.readDue(due, without);
    if (!due.isEmpty()) {
      begin(due, Batch.Held.PARK, Set.of());
    }
  }

  /** There are surely no ready messages, of those {@code seen} and of those committed. */
  public void foundEmpty(Visible seen) {
    floor.empty(seen);
    if (!floor.left().isSkipping() && !pending.hasDue()) {
      crashSuspicion().empty();
    }
    readReady(true);
    mostlyHeld = false;
  }

  /** Within the {@code reach} of a read past held topics there is surely nothing of others. */
  public void foundNothingPast(long reach, long safe) {
    floor.emptyPast(Math.min(safe, floor.cursorPast() + reach));
  }

  private void readReady(boolean whole) {
    pending.readReady(whole);
    if (whole) {
      floor.left().wentThrough();
    }
  }

  /** Messages of every kind may have come. */
  public void mayHaveAny() {
    pending.everywhere();
  }

  /** A ready message may have come. */
  public void mayHaveReady() {
    pending.ready();
  }

  /** True when a look {@code saw} messages that were not known, or that were and may be read. */
  public boolean isNews(PendingLanes saw, Ticker.Moment now) {
    return pending.isNews(lane(), saw, canRead(now));
  }

  /** A look saw parked messages that are due, or delayed ones, in some lanes. */
  public void mayHaveDue(PendingLanes seen) {
    pending.due(seen.due().contains(lane()));
    pending.delayed(seen.delayed().contains(lane()));
  }

  /** That many delayed messages became ready in some lanes, of at {@code most}. */
  public void promoted(int promoted, int most) {
    pending.promoted(promoted > 0, promoted < most);
  }

  /** The hold of a topic began or ended: what is of none of {@code held} may go on. */
  public void mayRelease(Set<String> held) {
    pending.mayRelease(held);
  }

  /** As {@link #promoted}, of those held with a topic; others stay while {@code someHeld}. */
  public void released(int released, int most, boolean someHeld) {
    pending.released(released > 0, released < most, someHeld);
  }

  /** A writer has ended that may have left something above {@code id}, and above the floor. */
  public void lowerClear(long id) {
    floor.lowerClear(id);
    pending.ready();
  }

  /** Ids may have gone back. */
  public void forget() {
    floor.forget();
  }

  /** Ids went back. */
  public void startOver() {
    forget();
    crashSuspicion().forget();
  }

  /** After which rests messages are tried again that were parked since the last call. */
  public List<Duration> takeRests() {
    return pending.takeRests();
  }

  /** These fates were written. */
  final void written(List<Fate> fates) {
    pending.written(fates);
  }

  /** The end of a batch was written. */
  final void ended(Batch batch) {
    Long left = batch.firstLeft();
    if (left != null && batch.leavesHeldTopics()) {
      floor.skip(batch.topicsLeft());
    } else if (left != null) {
      pending.left(batch.isParked());
    }
    if (!batch.isParked()) {
      floor.settled(left);
      if (!floor.hasReadAbove()) {
        mostlyHeld = batch.isMostlyHeld();
        crashSuspicion().settled(left == null ? batch.lastId() : left - 1);
      }
    }
  }
}
