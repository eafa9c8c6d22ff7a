package dev.outbox.internal.relay.base;

import dev.outbox.RelayStatus;
import dev.outbox.internal.relay.record.Recording;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.lane.Lane;
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
public final class RelayCounters {
  private static final Duration BETWEEN_STANDS = Duration.ofMillis(100);

  public final LongAdder delivered = new LongAdder();
  public final LongAdder parked = new LongAdder();
  public final LongAdder deadLettered = new LongAdder();
  public final LongAdder missing = new LongAdder();
  public final LongAdder repeated = new LongAdder();
  public final LongAdder fenced = new LongAdder();
  public final LongAdder ignoredAnswers = new LongAdder();
  public final LongAdder foundLate = new LongAdder();
  public final FailureLog failures = new FailureLog();
  private volatile Stand stand = Stand.NONE;

  /**
   * How a relay stood at a moment: its lanes and those among them that are careful, what it had in
   * memory, threads stuck in the publisher, topics whose broker is down with the time until they
   * are probed, what is wrong with its ids, if anything is, when its oldest lease was renewed, and
   * the moment itself.
   */
  public record Stand(
      Set<Lane> lanes,
      Set<Lane> careful,
      int inMemory,
      int stuck,
      Map<String, Duration> down,
      String ids,
      Ticker.@Nullable Moment oldestLease,
      Ticker.@Nullable Moment when) {
    public static final Stand NONE = new Stand(Set.of(), Set.of(), 0, 0, Map.of(), "", null, null);
  }

  public void settled(RelayListener.Settled settled) {
    delivered.add(settled.delivered());
    parked.add(settled.parked());
    deadLettered.add(settled.deadLettered());
    missing.add(settled.missing());
  }

  /** What was counted since the start. */
  public RelayStatus.Counts counts() {
    return new RelayStatus.Counts(
        delivered.sum(),
        parked.sum(),
        deadLettered.sum(),
        missing.sum(),
        repeated.sum(),
        fenced.sum(),
        ignoredAnswers.sum(),
        foundLate.sum());
  }

  /** True when how the relay stands was not reported just now. */
  public boolean isTimeToTell(Ticker.Moment now) {
    Ticker.Moment last = stand.when();
    return last == null || now.since(last).compareTo(BETWEEN_STANDS) >= 0;
  }

  /** Keeps how the relay stands, and passes on which brokers went down or came back. */
  public synchronized void stand(Stand stand, RelayListener listener) {
    Set<String> before = this.stand.down().keySet();
    Set<String> now = stand.down().keySet();
    this.stand = stand;
    if (!before.equals(now)) {
      now.stream().filter(topic -> !before.contains(topic)).forEach(each -> down(each, listener));
      before.stream().filter(topic -> !now.contains(topic)).forEach(each -> back(each, listener));
    }
  }

  private static void down(String topic, RelayListener listener) {
    Recording.outage(topic, false);
    listener.brokerDown(topic);
  }

  private static void back(String topic, RelayListener listener) {
    Recording.outage(topic, true);
    listener.brokerBack(topic);
  }

  public Stand stand() {
    return stand;
  }
}
