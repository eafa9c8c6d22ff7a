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
 * What a relay has counted since it started, and the last sample of its state.
 *
 * <p>Safe for use by many threads.
 */
public final class RelayCounters {
  private static final Duration BETWEEN_SAMPLES = Duration.ofMillis(100);

  public final LongAdder delivered = new LongAdder();
  public final LongAdder parked = new LongAdder();
  public final LongAdder deadLettered = new LongAdder();
  public final LongAdder missing = new LongAdder();
  public final LongAdder repeated = new LongAdder();
  public final LongAdder fenced = new LongAdder();
  public final LongAdder ignoredAnswers = new LongAdder();
  public final LongAdder foundLate = new LongAdder();
  public final FailureLog failures = new FailureLog();
  private volatile Sample sample = Sample.NONE;

  /**
   * The state of a relay at a moment: its lanes and those among them that are careful, how many
   * messages it had in memory, threads stuck in the publisher, topics whose broker is down with the
   * time until they are probed, what is wrong with ids and which messages wait in vain, in words,
   * when its oldest lease was renewed, and the moment itself.
   */
  public record Sample(
      Set<Lane> lanes,
      Set<Lane> careful,
      int inMemory,
      int stuck,
      Map<String, Duration> down,
      String ids,
      String waits,
      Ticker.@Nullable Moment oldestLease,
      Ticker.@Nullable Moment when) {
    public static final Sample NONE =
        new Sample(Set.of(), Set.of(), 0, 0, Map.of(), "", "", null, null);
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

  /** True when the last sample is old enough. */
  public boolean isTimeToSample(Ticker.Moment now) {
    return !now.isWithin(BETWEEN_SAMPLES, sample.when());
  }

  /** Keeps a sample, and tells the listener which brokers went down or came back since the last. */
  public synchronized void sample(Sample sample, RelayListener listener) {
    Set<String> before = this.sample.down().keySet();
    Set<String> now = sample.down().keySet();
    this.sample = sample;
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

  public Sample sample() {
    return sample;
  }
}
