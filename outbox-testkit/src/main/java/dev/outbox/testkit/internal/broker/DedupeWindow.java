package dev.outbox.testkit.internal.broker;

import dev.outbox.message.MessageId;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ids that a broker remembers in order to drop repeats: that many, or for so long.
 *
 * <p>Guarded by its log.
 */
public final class DedupeWindow {
  private final int most;
  private final @Nullable Duration length;
  private final Map<MessageId, Instant> seen = new LinkedHashMap<>();

  private DedupeWindow(int most, @Nullable Duration length) {
    this.most = most;
    this.length = length;
  }

  public static DedupeWindow none() {
    return new DedupeWindow(0, null);
  }

  public static DedupeWindow ofIds(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("dedupe is " + most + ", the minimum is 1 id");
    }
    return new DedupeWindow(most, null);
  }

  public static DedupeWindow ofTime(Duration length) {
    if (length.isNegative() || length.isZero()) {
      throw new IllegalArgumentException("dedupe is " + length + ", it must be positive");
    }
    return new DedupeWindow(Integer.MAX_VALUE, length);
  }

  /** An empty one of the same size. */
  public DedupeWindow emptied() {
    return new DedupeWindow(most, length);
  }

  /** Remembers {@code id}. False when it was remembered before. */
  boolean add(MessageId id, Instant now) {
    forget(now);
    if (most == 0) {
      return true;
    }
    if (seen.putIfAbsent(id, now) != null) {
      return false;
    }
    if (seen.size() > most) {
      removeFirst();
    }
    return true;
  }

  private void removeFirst() {
    Iterator<MessageId> oldest = seen.keySet().iterator();
    oldest.next();
    oldest.remove();
  }

  private void forget(Instant now) {
    if (length != null) {
      Iterator<Instant> oldest = seen.values().iterator();
      while (oldest.hasNext() && !oldest.next().plus(length).isAfter(now)) {
        oldest.remove();
      }
    }
  }
}
