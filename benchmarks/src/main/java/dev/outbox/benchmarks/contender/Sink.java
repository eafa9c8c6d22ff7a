package dev.outbox.benchmarks.contender;

import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;

/**
 * The counting publisher at the end of every contender: notes each message by its number, so that
 * none is lost or comes twice unseen.
 *
 * <p>Safe for use by many threads.
 */
public final class Sink {
  private static final int MOST = 1 << 26;

  private final AtomicLongArray seen = new AtomicLongArray(MOST >> 6);
  private final AtomicLong arrived = new AtomicLong();
  private final AtomicLong repeated = new AtomicLong();
  private final AtomicLong firstRepeated = new AtomicLong(-1);
  private final AtomicLong firstNanos = new AtomicLong();
  private final CountDownLatch complete = new CountDownLatch(1);
  private final LongConsumer work;
  private volatile long awaited = Long.MAX_VALUE;
  private volatile long completeNanos;

  private Sink(LongConsumer work) {
    this.work = work;
  }

  /** Does nothing but count. */
  public static Sink counting() {
    return new Sink(number -> {});
  }

  /** Does {@code work} with the number of each message before counting it. */
  public static Sink working(LongConsumer work) {
    return new Sink(work);
  }

  /** Publishes a payload of bytes. */
  public void accept(byte[] payload) {
    accept(Payload.number(payload));
  }

  /** Publishes a payload of text. */
  public void accept(String payload) {
    accept(Payload.number(payload));
  }

  /** Publishes message {@code number}. */
  public void accept(long number) {
    work.accept(number);
    if (!note(number)) {
      repeated.incrementAndGet();
      firstRepeated.compareAndSet(-1, number);
      return;
    }
    long count = arrived.incrementAndGet();
    if (count == 1) {
      firstNanos.set(System.nanoTime());
    }
    if (count == awaited) {
      completeNanos = System.nanoTime();
      complete.countDown();
    }
  }

  private boolean note(long number) {
    if (number < 0 || number >= MOST) {
      throw new IllegalArgumentException("number is " + number + ", the limit is " + MOST);
    }
    int word = (int) (number >> 6);
    long bit = 1L << number;
    return (seen.getAndAccumulate(word, bit, (before, added) -> before | added) & bit) == 0;
  }

  /** How many different messages have arrived. */
  public long arrived() {
    return arrived.get();
  }

  /** When the first arrived, in {@link System#nanoTime}. */
  public long firstNanos() {
    return firstNanos.get();
  }

  /** When the last one awaited arrived, in {@link System#nanoTime}. */
  public long completeNanos() {
    return completeNanos;
  }

  /** From now on, message number {@code count} is the last; call it before the first arrives. */
  public Sink expecting(long count) {
    awaited = count;
    return this;
  }

  /**
   * Waits until as many have arrived as are expected.
   *
   * @throws IllegalStateException when nothing more arrives for as long as {@code patience}
   */
  public void await(Duration patience) throws InterruptedException {
    long before = -1;
    while (!complete.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      if (arrived.get() == before) {
        throw new IllegalStateException(
            "%d of %d have arrived, and no other for %s".formatted(before, awaited, patience));
      }
      before = arrived.get();
    }
  }

  /** The numbers that have arrived. */
  public BitSet seen() {
    long[] words = new long[seen.length()];
    for (int word = 0; word < words.length; word++) {
      words[word] = seen.get(word);
    }
    return BitSet.valueOf(words);
  }

  /**
   * Makes sure that messages 0 to {@code count - 1} have arrived, each of them once.
   *
   * @throws IllegalStateException when one is missing, came twice, or was never sent
   */
  public void check(long count) {
    BitSet numbers = seen();
    int missing = numbers.nextClearBit(0);
    if (missing < count) {
      throw new IllegalStateException(
          "lost: %d of %d messages are missing, the first is number %d"
              .formatted(count - numbers.cardinality(), count, missing));
    }
    if (numbers.length() > count) {
      throw new IllegalStateException(
          "number %d arrived, but only %d were sent".formatted(numbers.length() - 1, count));
    }
    checkNoneRepeated();
  }

  /**
   * Makes sure that no message has arrived twice.
   *
   * @throws IllegalStateException when one did
   */
  public void checkNoneRepeated() {
    if (repeated.get() > 0) {
      throw new IllegalStateException(
          "repeated: %d messages arrived again, the first is number %d"
              .formatted(repeated.get(), firstRepeated.get()));
    }
  }
}
