package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.RelayCounters;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.topic.TopicGates;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What the workers of one relay have in common.
 *
 * <p>Safe for use by many threads.
 */
public final class RelayState {
  /** What spreads relays over time and lanes where it does not matter which comes first. */
  final RandomGenerator random;

  final TopicGates gates = new TopicGates();
  public final RelayCounters relayCounters = new RelayCounters();
  final DueLooks duePromotions = new DueLooks();
  final DueLooks dueLooks = new DueLooks();
  final TopicReleases topicReleases = new TopicReleases();

  /** True while due messages cannot be moved, as the worker found that tried last. */
  final AtomicBoolean waitsToMove = new AtomicBoolean();

  /** The threads that are in the publisher right now. */
  final Set<Thread> inThePublisher = ConcurrentHashMap.newKeySet();

  final StuckWorkers stuckWorkers = new StuckWorkers(gates);

  public RelayState() {
    this(() -> ThreadLocalRandom.current().nextLong());
  }

  /** All that is random comes from {@code random}, which the workers use at the same time. */
  public RelayState(RandomGenerator random) {
    this.random = random;
  }

  /** Whose turn it is to see to what has fallen due: one worker's, about once a second. */
  static final class DueLooks {
    static final Duration BETWEEN = Duration.ofSeconds(1);

    private Ticker.@Nullable Moment last;

    boolean isTime(Ticker.Moment now) {
      return isTime(now, BETWEEN);
    }

    synchronized boolean isTime(Ticker.Moment now, Duration between) {
      if (now.isWithin(between, last)) {
        return false;
      }
      last = now;
      return true;
    }

    /** The time until the next look. */
    synchronized Duration left(Ticker.Moment now, Duration between) {
      Duration left = last == null ? Duration.ZERO : between.minus(now.since(last));
      return left.isNegative() ? Duration.ZERO : left;
    }

    /** There may be more. */
    synchronized void again() {
      last = null;
    }
  }
}
