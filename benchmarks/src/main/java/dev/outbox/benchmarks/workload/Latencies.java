package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.workload.Writers.Committed;
import dev.outbox.message.MessageId;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * How long messages took.
 *
 * <p>Immutable.
 */
final class Latencies {
  private final long[] nanos;

  private Latencies(long[] sorted) {
    this.nanos = sorted;
  }

  /**
   * From a time of the commit to the arrival. What arrived before the writer knew of its commit
   * took no time.
   *
   * @throws IllegalStateException when one has not arrived
   */
  static Latencies between(
      Collection<Committed> committed,
      ToLongFunction<Committed> from,
      Map<MessageId, Long> arrivals) {
    long[] nanos =
        committed.stream()
            .mapToLong(
                each ->
                    Math.max(
                        0,
                        Objects.requireNonNull(arrivals.get(each.id()), "a message is missing")
                            - from.applyAsLong(each)))
            .sorted()
            .toArray();
    return new Latencies(nanos);
  }

  int count() {
    return nanos.length;
  }

  double millis(double quantile) {
    int rank = (int) Math.ceil(quantile * nanos.length);
    return nanos[Math.max(0, rank - 1)] / 1e6;
  }
}
