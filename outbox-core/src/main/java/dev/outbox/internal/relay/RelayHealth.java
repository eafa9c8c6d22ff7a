package dev.outbox.internal.relay;

import dev.outbox.RelayStatus;
import dev.outbox.RelayStatus.Health;
import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.RelayCounters;
import dev.outbox.internal.relay.base.RelayCounters.Sample;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.text.ShortText;
import dev.outbox.spi.lane.Lane;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether a relay's threads, its database and its purge work, and the status that follows from that
 * and from the last sample of its loop.
 *
 * <p>Immutable. {@code storeDownFor} is null while the database answers, {@code purgeFailingFor}
 * while the archive is purged or need not be. Workers are stuck by rows only; {@code allStuck} when
 * none is left.
 */
record RelayHealth(
    boolean alive,
    boolean stopped,
    @Nullable Duration storeDownFor,
    @Nullable Duration purgeFailingFor,
    int stuckWorkers,
    boolean allStuck) {

  RelayHealth(
      boolean alive,
      boolean stopped,
      @Nullable Duration storeDownFor,
      @Nullable Duration purgeFailingFor) {
    this(alive, stopped, storeDownFor, purgeFailingFor, 0, false);
  }

  RelayStatus status(String name, RelayCounters counters, Ticker.Moment now) {
    Sample sample = alive ? counters.sample() : Sample.NONE;
    Map<String, Integer> failing = counters.failures.failing();
    Map<String, Integer> deadLetters = counters.failures.deadLettersOfLastHour(now);
    String down = downReason();
    String degraded = degradedReason(sample);
    if (degraded.isEmpty() && !failing.isEmpty()) {
      degraded = "messages fail and are tried again, by topic " + failing;
    } else if (degraded.isEmpty() && !deadLetters.isEmpty()) {
      degraded = "dead letters in the last hour, by topic " + deadLetters;
    }
    return new RelayStatus(
        name,
        !down.isEmpty() ? Health.DOWN : degraded.isEmpty() ? Health.UP : Health.DEGRADED,
        down.isEmpty() ? degraded : down,
        numbers(sample.lanes()),
        numbers(sample.careful()),
        sample.inMemory(),
        stuck(sample),
        sample.down(),
        failing,
        deadLetters,
        alive ? storeDownFor : null, // one that has ended asks no more, and would say so for ever
        alive ? purgeFailingFor : null,
        stopped || sample.oldestLease() == null ? null : now.since(sample.oldestLease()),
        counters.counts());
  }

  private String downReason() {
    if (stopped) {
      return "closed";
    }
    if (!alive) {
      return "stopped after an internal error, see the log";
    }
    if (allStuck) {
      return "all %d workers are stuck in the publisher, see the log".formatted(stuckWorkers);
    }
    return storeDownFor == null
        ? ""
        : "calls of the database have failed for %s, see the log"
            .formatted(Durations.text(storeDownFor));
  }

  private String degradedReason(Sample sample) {
    if (!sample.ids().isEmpty()) {
      return sample.ids();
    }
    if (!sample.down().isEmpty()) {
      String down = "broker down for topics " + new TreeSet<>(sample.down().keySet());
      return sample.waits().isEmpty() ? down : down + "; " + sample.waits();
    }
    if (!sample.waits().isEmpty()) {
      return sample.waits();
    }
    if (stuck(sample) > 0) {
      return stuck(sample) + " threads stuck in the publisher";
    }
    if (!sample.careful().isEmpty()) {
      return "messages of lanes %s are published one at a time, because one may kill relays"
          .formatted(ShortText.ranges(numbers(sample.careful())));
    }
    return purgeFailingFor == null
        ? ""
        : "archive not purged for " + Durations.text(purgeFailingFor) + ", see the log";
  }

  private int stuck(Sample sample) {
    return sample.stuck() + stuckWorkers;
  }

  private static Set<Integer> numbers(Set<Lane> lanes) {
    return lanes.stream().map(Lane::number).collect(Collectors.toSet());
  }
}
