package dev.outbox.internal.relay;

import dev.outbox.message.Lane;
import dev.outbox.publish.RelayListener;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What a relay has counted since it started, and how it stood at its last turn.
 *
 * <p>Safe for use by many threads.
 */
final class Tally {
  private static final Duration BETWEEN_STANDS = Duration.ofMillis(100);

  final LongAdder delivered = new LongAdder();
  final LongAdder parked = new LongAdder();
  final LongAdder died = new LongAdder();
  final LongAdder missing = new LongAdder();
  final LongAdder fenced = new LongAdder();
  final LongAdder ignoredAnswers = new LongAdder();
  final LongAdder foundLate = new LongAdder();
  private volatile Stand stand = Stand.NONE;

  /**
   * How a relay stood at a moment: its lanes and those among them that are careful, what it had in
   * memory, threads stuck in the publisher, topics whose broker is away with the time until they
   * are probed, what is wrong with its ids, if anything is, and since when it works.
   */
  record Stand(
      Set<Lane> lanes,
      Set<Lane> careful,
      int inMemory,
      int stuck,
      Map<String, Duration> away,
      String ids,
      Ticker.@Nullable Moment when) {
    static final Stand NONE = new Stand(Set.of(), Set.of(), 0, 0, Map.of(), "", null);
  }

  void settled(RelayListener.Settled settled) {
    delivered.add(settled.delivered());
    parked.add(settled.parked());
    died.add(settled.died());
    missing.add(settled.missing());
  }

  /** True when how the relay stands was not told just now. */
  boolean isTimeToTell(Ticker.Moment now) {
    Ticker.Moment last = stand.when();
    return last == null || now.since(last).compareTo(BETWEEN_STANDS) >= 0;
  }

  void stand(Stand stand) {
    this.stand = stand;
  }

  Stand stand() {
    return stand;
  }
}
