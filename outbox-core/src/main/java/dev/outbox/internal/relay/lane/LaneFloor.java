package dev.outbox.internal.relay.lane;

import dev.outbox.spi.settle.StoredEnvelope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The id below which nothing is left in a lane, so that reads need not wade through the dead rows
 * there; when something is found below it all the same, the lane is read from there.
 *
 * <p>Used by one thread.
 */
public final class LaneFloor {
  private long floor;
  private long reached;
  private boolean skipping;
  private long skipped;
  private long awaited;
  private long last;
  private long visible;
  private long passed;
  private long reachedPast;
  private boolean above;
  private boolean sweeping;
  private long sweptFrom;

  LaneFloor(long floor) {
    this.floor = floor;
  }

  public long get() {
    return floor;
  }

  /** Where the next read begins. */
  public long cursor() {
    return sweeping ? sweptFrom : Math.max(floor, skipped);
  }

  /** Where the next read past held topics begins: nothing but messages of theirs is left below. */
  public long cursorPast() {
    return Math.max(floor, passed);
  }

  /** Something was found below the floor: the next read begins at {@code id}. */
  public void sweepFrom(long id) {
    sweeping = true;
    sweptFrom = id;
  }

  /** True when the next read may wade through much that is dead. */
  public boolean isLow() {
    return sweeping || cursor() == 0;
  }

  public boolean isSweeping() {
    return sweeping;
  }

  /**
   * A read from the {@link #cursor} returned this; when it began, all ids up to {@code safe} were
   * visible. Nothing says nothing: the store may have cut the lane short. Returns how many messages
   * it found below the floor.
   */
  public int read(List<StoredEnvelope> read, long safe) {
    if (read.isEmpty()) {
      return 0;
    }
    last = read.get(read.size() - 1).id();
    visible = Math.min(safe, last);
    above = skipping && !sweeping;
    reached = above ? 0 : visible;
    reachedPast = 0;
    int late = (int) read.stream().filter(storedEnvelope -> storedEnvelope.id() <= floor).count();
    sweeping = sweeping && last <= floor;
    return late;
  }

  /** A read from {@link #cursorPast} returned this. Nothing says nothing, as with {@link #read}. */
  public void readPast(List<StoredEnvelope> read, long safe) {
    if (!read.isEmpty()) {
      above = true;
      reached = 0;
      reachedPast = Math.min(safe, read.get(read.size() - 1).id());
    }
  }

  /** Of other topics there is surely nothing up to {@code id}. */
  public void emptyPast(long id) {
    passed = Math.max(passed, id);
  }

  /** Other topics are held now: reads past them begin at the floor. */
  public void passNothing() {
    passed = 0;
    reachedPast = 0;
  }

  /** Nothing was there above the {@link #cursor}, when all ids up to {@code safe} were visible. */
  public void empty(long safe) {
    if (!skipping) {
      floor = Math.max(floor, safe);
    }
    sweeping = false;
  }

  /**
   * What the last read returned is left where it is for now: reads begin above it, once everything
   * up to there is visible. What commits below would else be overtaken by later ones of its key.
   */
  void skip() {
    skipping = true;
    skipped = Math.max(skipped, visible);
    awaited = last;
  }

  public boolean isSkipping() {
    return skipping;
  }

  /** True while not everything is visible among what was left: a read would return it again. */
  public boolean isWaiting(long safe) {
    return skipping && awaited > safe;
  }

  /** True when the last read that returned messages left others below where it began. */
  boolean hasReadAbove() {
    return above;
  }

  /** Reads begin at the floor again. True when they did not. */
  boolean unskip() {
    boolean did = skipping;
    skipping = false;
    skipped = 0;
    return did;
  }

  /** The end of the last read was written, but for those from {@code firstLeft} on, if any. */
  void settled(@Nullable Long firstLeft) {
    floor = Math.max(floor, reached);
    passed = Math.max(passed, reachedPast);
    if (firstLeft != null) {
      floor = Math.min(floor, firstLeft - 1);
      passed = Math.min(passed, firstLeft - 1);
    }
    reached = 0;
    reachedPast = 0;
  }

  /** Ids may have gone back. */
  void forget() {
    floor = 0;
    sweeping = false;
    unskip();
    reached = 0;
    last = 0;
    visible = 0;
    passNothing();
  }
}
