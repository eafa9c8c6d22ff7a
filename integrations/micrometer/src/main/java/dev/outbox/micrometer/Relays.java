package dev.outbox.micrometer;

import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
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

  private final AtomicReference<Watched> watched = new AtomicReference<>(new Watched(List.of(), 0));
  private volatile @Nullable Look last;

  private record Look(List<RelayStatus> statuses, long repeated, long nanos) {}

  /** Those that are asked, and what those before them have repeated. */
  private record Watched(List<Supplier<Optional<RelayStatus>>> relays, long repeatedBefore) {
    Watched with(Supplier<Optional<RelayStatus>> relay) {
      List<Supplier<Optional<RelayStatus>>> left = new ArrayList<>();
      long repeated = repeatedBefore;
      for (Supplier<Optional<RelayStatus>> each : relays) {
        Optional<RelayStatus> closed = each.get().filter(RelayStatus::isClosed);
        if (closed.isPresent()) {
          repeated += closed.get().counts().repeated();
        } else {
          left.add(each);
        }
      }
      left.add(relay);
      return new Watched(List.copyOf(left), repeated);
    }

    Look look() {
      List<RelayStatus> statuses = relays.stream().flatMap(each -> each.get().stream()).toList();
      long repeated = statuses.stream().mapToLong(each -> each.counts().repeated()).sum();
      return new Look(statuses, repeatedBefore + repeated, System.nanoTime());
    }
  }

  /** In the place of those that were closed: the process that goes on has other relays. */
  void watch(Supplier<Optional<Relay>> relay) {
    watched.updateAndGet(present -> present.with(() -> relay.get().map(Relay::status)));
    last = null;
  }

  /** How they stand, as of half a second ago at most. */
  List<RelayStatus> statuses() {
    return look().statuses();
  }

  private Look look() {
    Look look = last;
    if (look == null || System.nanoTime() - look.nanos() >= FRESH.toNanos()) {
      look = Objects.requireNonNull(watched.get()).look();
      last = look;
    }
    return look;
  }

  /** How they stand, asked now. */
  List<RelayStatus> now() {
    return Objects.requireNonNull(watched.get()).look().statuses();
  }

  /** Messages that they and the closed ones have repeated: a counter does not fall. */
  double repeated() {
    return look().repeated();
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
