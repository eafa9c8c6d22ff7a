package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.base.Visible;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The id below which nothing is left in a lane, so that reads need not wade through the dead rows
 * there; when something is found below it all the same, the lane is read from there.
 *
 * <p>Used by one thread.
 */
/*
 * A read begins at the floor, or above what was left behind for now; while a sweep is under way, it begins where that
 * found something. A read past held topics begins at a mark of its own. While a writer stays open for long, the floor
 * cannot rise, and reads begin above what is clear of all others. What a read returned raises the floor, or such a mark,
 * once its end is written. Until then all of it may yet be left behind, so what it reached is kept.
 */
final class LaneFloor {
  private final ReadMark floor;
  private final ReadMark past = new ReadMark(0);
  private final ReadMark clear = new ReadMark(0);
  private final LeftBehind left = new LeftBehind();
  private long last;
  private long visible;
  private boolean above;
  private boolean underWay;
  private boolean sweeping;
  private boolean deep;
  private long sweptFrom;

  LaneFloor(long floor) {
    this.floor = new ReadMark(floor);
  }

  long get() {
    return floor.get();
  }

  LeftBehind left() {
    return left;
  }

  /** Where the next read begins. */
  long cursor() {
    return sweeping ? sweptFrom : Math.max(floor.get(), Math.max(left.skipped(), clear.get()));
  }

  /** Where a look begins: what the last read returned is no news until its end is written. */
  long lookCursor() {
    return underWay ? Math.max(cursor(), last) : cursor();
  }

  /** Where the next read past held topics begins: nothing but messages of theirs is left below. */
  long cursorPast() {
    return Math.max(floor.get(), past.get());
  }

  /** Something was found below the floor: the next read begins at {@code id}. */
  void sweepFrom(long id) {
    sweeping = true;
    sweptFrom = id;
  }

  /** True when the next read may wade through much that is dead. */
  boolean isLow() {
    return sweeping || deep || cursor() == 0;
  }

  boolean isSweeping() {
    return sweeping;
  }

  /**
   * A read from the {@link #cursor} returned this. Nothing says nothing: the store may have cut the
   * lane short. Returns how many messages it found below the floor.
   */
  int read(List<StoredEnvelope> read, Visible seen) {
    deep = false;
    if (read.isEmpty()) {
      return 0;
    }
    underWay = true;
    last = read.get(read.size() - 1).id();
    visible = Math.min(seen.safe(), last);
    above = left.isSkipping() && !sweeping;
    floor.reached(above ? 0 : visible);
    clear.reached(above ? 0 : Math.min(seen.clear(), last));
    past.reached(0);
    int late = (int) read.stream().filter(message -> message.id() <= floor.get()).count();
    sweeping = sweeping && last <= floor.get();
    return late;
  }

  /** A read from {@link #cursorPast} returned this. Nothing says nothing, as with {@link #read}. */
  void readPast(List<StoredEnvelope> read, long safe) {
    if (!read.isEmpty()) {
      above = true;
      floor.reached(0);
      clear.reached(0);
      past.reached(Math.min(safe, read.get(read.size() - 1).id()));
    }
  }

  /** Of other topics there is surely nothing up to {@code id}. */
  void emptyPast(long id) {
    past.raise(id);
  }

  /** Other topics are held now: reads past them begin at the floor. */
  void passNothing() {
    past.forget();
  }

  /** Nothing was there above the {@link #cursor}. */
  void empty(Visible seen) {
    if (!left.isSkipping()) {
      floor.raise(seen.safe());
      clear.raise(seen.clear());
    }
    deep = false;
    sweeping = false;
  }

  /**
   * What the last read returned is left where it is for now: reads begin above it, once everything
   * up to there is visible. What commits below would else be overtaken by later ones of its key.
   */
  void skip(Set<String> topics) {
    left.leave(topics, visible, last);
  }

  /** True when the last read that returned messages left others below where it began. */
  boolean hasReadAbove() {
    return above;
  }

  /** The end of the last read was written, but for those from {@code firstLeft} on, if any. */
  void settled(@Nullable Long firstLeft) {
    underWay = false;
    floor.settled(firstLeft);
    clear.settled(firstLeft);
    past.settled(firstLeft);
  }

  /** A writer has ended that may have left something above {@code id}, and above the floor. */
  void lowerClear(long id) {
    deep |= id == 0 && clear.get() > floor.get();
    clear.lower(id);
  }

  /** Ids may have gone back. */
  void forget() {
    floor.forget();
    clear.forget();
    past.forget();
    left.goBack();
    deep = false;
    sweeping = false;
    underWay = false;
    last = 0;
    visible = 0;
  }
}
