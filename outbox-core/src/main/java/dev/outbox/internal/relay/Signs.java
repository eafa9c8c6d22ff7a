package dev.outbox.internal.relay;

import dev.outbox.RelayStatus;
import dev.outbox.RelayStatus.Health;
import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.RelayCounters;
import dev.outbox.internal.relay.base.RelayCounters.Stand;
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
 * How it is with a relay's threads, and the status that follows from that and from what its loop
 * has told.
 *
 * <p>Immutable. {@code storeDownFor} is null while the database answers, {@code purgeFailingFor}
 * while the archive is purged or need not be.
 */
record Signs(
    boolean alive,
    boolean stopped,
    @Nullable Duration storeDownFor,
    @Nullable Duration purgeFailingFor) {

  RelayStatus status(String name, RelayCounters counters, Ticker.Moment now) {
    boolean isOver = stopped && !alive;
    Stand stand = isOver ? Stand.NONE : counters.stand();
    Map<String, Integer> failing = counters.failures.failing();
    Map<String, Integer> deadLetters = counters.failures.deadLettersOfLastHour(now);
    String trouble = trouble();
    String flaw = flaw(stand);
    if (flaw.isEmpty() && !failing.isEmpty()) {
      flaw = "messages fail and are tried again, by topic " + failing;
    } else if (flaw.isEmpty() && !deadLetters.isEmpty()) {
      flaw = "dead letters in the last hour, by topic " + deadLetters;
    }
    return new RelayStatus(
        name,
        !trouble.isEmpty() ? Health.DOWN : flaw.isEmpty() ? Health.UP : Health.DEGRADED,
        trouble.isEmpty() ? flaw : trouble,
        numbers(stand.lanes()),
        numbers(stand.careful()),
        stand.inMemory(),
        stand.stuck(),
        stand.down(),
        failing,
        deadLetters,
        storeDownFor,
        purgeFailingFor,
        stopped || stand.oldestLease() == null ? null : now.since(stand.oldestLease()),
        counters.counts());
  }

  private String trouble() {
    if (stopped) {
      return "closed";
    }
    if (!alive) {
      return "stopped after an internal error, see the log";
    }
    return storeDownFor == null
        ? ""
        : "calls of the database have failed for %s, see the log"
            .formatted(Durations.text(storeDownFor));
  }

  private String flaw(Stand stand) {
    if (!stand.ids().isEmpty()) {
      return stand.ids();
    }
    if (!stand.down().isEmpty()) {
      return "broker down for topics " + new TreeSet<>(stand.down().keySet());
    }
    if (stand.stuck() > 0) {
      return stand.stuck() + " threads stuck in the publisher";
    }
    if (!stand.careful().isEmpty()) {
      return "careful with lanes " + ShortText.ranges(numbers(stand.careful()));
    }
    return purgeFailingFor == null
        ? ""
        : "archive not purged for " + Durations.text(purgeFailingFor) + ", see the log";
  }

  private static Set<Integer> numbers(Set<Lane> lanes) {
    return lanes.stream().map(Lane::number).collect(Collectors.toSet());
  }
}
