package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Ids, and when they had been seen: never more than a few, however long they are kept.
 *
 * <p>Used by one thread.
 */
/*
 * The longer marks have to be kept, the further apart they are: when there are too many, every second one is dropped
 * and the distance doubles; when few are left, it shrinks again. So what is told trails by a small part of the age
 * asked for.
 *
 * How long ago an id was seen is measured by the monotonic clock: by a wall clock that is set forward every age would be
 * over at once, and a writer that was open a moment ago would be overlooked.
 */
final class SeenIds {
  private static final int MOST = 64;
  private static final int FEW = 8;
  private static final Duration LEAST_DISTANCE = Duration.ofMillis(20);

  private final Deque<Mark> marks = new ArrayDeque<>();
  private Duration distance = LEAST_DISTANCE;
  private long highest;

  /** An id that had been seen at a moment. */
  private record Mark(long id, Ticker.Moment when) {}

  /** Ids up to {@code id} have been seen by now. */
  void saw(long id, Ticker.Moment now) {
    Mark last = marks.peekLast();
    boolean apart = last == null || now.surelySince(last.when()).compareTo(distance) >= 0;
    if (id > highest && apart) {
      highest = id;
      marks.add(new Mark(id, now));
      if (marks.size() > MOST) {
        thin();
      }
    }
  }

  /** The newest one stays. */
  private void thin() {
    boolean stays = true;
    for (Iterator<Mark> each = marks.descendingIterator(); each.hasNext(); stays = !stays) {
      each.next();
      if (!stays) {
        each.remove();
      }
    }
    distance = distance.multipliedBy(2);
  }

  /** The highest id seen at least {@code age} ago, or 0; it and those before are used up. */
  long usedUp(Duration age, Ticker.Moment now) {
    long id = 0;
    while (isOlder(marks.peekFirst(), age, now)) {
      id = marks.removeFirst().id();
    }
    if (marks.size() < FEW && distance.compareTo(LEAST_DISTANCE) > 0) {
      distance = distance.dividedBy(2);
    }
    return id;
  }

  private static boolean isOlder(@Nullable Mark mark, Duration age, Ticker.Moment now) {
    return mark != null && now.surelySince(mark.when()).compareTo(age) >= 0;
  }

  int size() {
    return marks.size();
  }

  boolean isEmpty() {
    return marks.isEmpty();
  }

  void clear() {
    marks.clear();
    highest = 0;
  }
}
