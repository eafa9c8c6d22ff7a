package dev.outbox.micrometer;

import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The relays of this process, asked how they stand: once for all gauges of a scrape.
 *
 * <p>Safe for use by many threads.
 */
final class Relays {
  private static final Duration FRESH = Duration.ofMillis(500);

  private final List<Supplier<Optional<RelayStatus>>> watched = new CopyOnWriteArrayList<>();
  private volatile @Nullable Look last;

  private record Look(List<RelayStatus> statuses, long nanos) {}

  /** In the place of those that were closed: the process that goes on has other relays. */
  void watch(Supplier<Optional<Relay>> relay) {
    watched.removeIf(each -> each.get().filter(RelayStatus::isClosed).isPresent());
    watched.add(() -> relay.get().map(Relay::status));
    last = null;
  }

  /** How they stand, as of half a second ago at most. */
  List<RelayStatus> statuses() {
    Look look = last;
    if (look == null || System.nanoTime() - look.nanos() >= FRESH.toNanos()) {
      look = new Look(now(), System.nanoTime());
      last = look;
    }
    return look.statuses();
  }

  /** How they stand, asked now. */
  List<RelayStatus> now() {
    return watched.stream().flatMap(each -> each.get().stream()).toList();
  }

  boolean owns(int lane) {
    return now().stream().anyMatch(status -> lanes(status).contains(lane));
  }

  /** What a relay that does not work says of its lanes is what it knew last. */
  static Set<Integer> lanes(RelayStatus status) {
    return status.health() == RelayStatus.Health.DOWN ? Set.of() : status.lanes();
  }

  boolean has(String name) {
    return now().stream().anyMatch(status -> status.name().equals(name));
  }

  double sum(ToDoubleFunction<RelayStatus> value) {
    return statuses().stream().mapToDouble(value).sum();
  }

  double count(RelayStatus.Health health) {
    return sum(status -> status.health() == health ? 1 : 0);
  }

  /** In seconds; empty where no relay has it. */
  Optional<Double> longest(Function<RelayStatus, @Nullable Duration> time) {
    return statuses().stream()
        .map(time)
        .filter(Objects::nonNull)
        .max(Duration::compareTo)
        .map(Relays::seconds);
  }

  static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
