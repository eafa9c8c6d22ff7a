package dev.outbox.benchmarks.measure;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;

/**
 * When something happened to each message, in {@link System#nanoTime}; 0 if it has not.
 *
 * <p>Safe for use by many threads.
 */
public final class Times {
  private final AtomicLongArray nanos;

  public Times(long messages) {
    this.nanos = new AtomicLongArray(Math.toIntExact(messages));
  }

  public void note(long number, long at) {
    nanos.set((int) number, at);
  }

  /** Whether it happened to each message from {@code from} to below {@code to}. */
  public boolean haveAll(long from, long to) {
    return LongStream.range(from, to).allMatch(number -> nanos.get((int) number) != 0);
  }

  /**
   * How long each message from {@code from} to below {@code to} took; what arrived before its
   * writer knew took no time.
   *
   * @throws IllegalStateException when one has not arrived
   */
  public static Quantiles between(Times begin, Times end, long from, long to) {
    return new Quantiles(
        LongStream.range(from, to)
            .map(number -> took(begin, end, (int) number))
            .sorted()
            .toArray());
  }

  private static long took(Times begin, Times end, int number) {
    if (end.nanos.get(number) == 0) {
      throw new IllegalStateException("message " + number + " has not arrived");
    }
    return Math.max(0, end.nanos.get(number) - begin.nanos.get(number));
  }

  /** Sorted durations. */
  public static final class Quantiles {
    private final long[] nanos;

    private Quantiles(long[] sorted) {
      this.nanos = sorted;
    }

    /** The time that this part of all did not exceed, in milliseconds. */
    public double millis(double part) {
      int rank = (int) Math.ceil(part * nanos.length);
      return nanos[Math.max(0, rank - 1)] / 1e6;
    }

    public void tell(Measures measures) {
      measures
          .put("p50", "ms", millis(0.5))
          .put("p99", "ms", millis(0.99))
          .put("p99.9", "ms", millis(0.999))
          .put("max", "ms", millis(1));
    }
  }
}
