package dev.outbox.internal.relay.base;

import dev.outbox.cluster.Clusters;
import dev.outbox.publish.RetryPolicy;
import java.time.Duration;
import java.util.Map;

/**
 * All settings of a relay, checked together.
 *
 * <p>Immutable.
 */
public record RelaySettings(
    String name,
    Leasing leasing,
    Volume volume,
    Deadlines deadlines,
    Retries retries,
    Duration grace,
    GuardedListener listener) {

  /**
   * @throws IllegalArgumentException when an idle relay would rest longer than from one renewal to
   *     the next
   */
  public RelaySettings {
    if (deadlines.poll().compareTo(leasing.renewal()) > 0) {
      throw new IllegalArgumentException(
          "poll is %s, longer than the renewal of %s, so an idle relay would lose its leases; lower poll(..) or raise lease(..)"
              .formatted(deadlines.poll(), leasing.renewal()));
    }
    requirePositive("grace", grace);
    requireAtMostADay("grace", grace);
  }

  /** True when a listener hears what the relay does. */
  public boolean hasListener() {
    return !listener.listeners().isEmpty();
  }

  /**
   * How long a lease runs and how often it is renewed; and, where there are several clusters, how
   * long another may be silent before it is taken over.
   */
  public record Leasing(Duration lease, Duration renewal, Duration maximumDelay) {
    /** A flight is handed out only when this much of the lease is left. */
    private static final int MARGIN_PART = 10;

    /**
     * @throws IllegalArgumentException when the renewal is not positive, or the lease is shorter
     *     than three renewals
     */
    public Leasing {
      requirePositive("renewal", renewal);
      if (lease.compareTo(renewal.multipliedBy(3)) < 0) {
        throw new IllegalArgumentException(
            "lease is %s, it must be at least three renewals of %s, that is %s"
                .formatted(lease, renewal, renewal.multipliedBy(3)));
      }
    }

    /** With the maximum delay of {@link Clusters#ONE}. */
    public Leasing(Duration lease, Duration renewal) {
      this(lease, renewal, Clusters.ONE.maximumDelay());
    }

    /** How long after the sending of a claim or renewal the lease is surely ours. */
    public Duration sureFor() {
      return lease.minus(lease.dividedBy(MARGIN_PART));
    }
  }

  /** How much is read, held in memory and published at a time. */
  public record Volume(int batch, int messages, long bytes, int threads) {
    private static final int FEW = 2000;
    private static final long BATCHES = 8;

    /**
     * @throws IllegalArgumentException when one of them is below 1, or a batch is larger than the
     *     bound in messages
     */
    public Volume {
      requireAtLeastOne("batch", batch);
      requireAtLeastOne("maxInFlight messages", messages);
      requireAtLeastOne("maxInFlight bytes", bytes);
      requireAtLeastOne("publishThreads", threads);
      if (batch > messages) {
        throw new IllegalArgumentException(
            "batch is %d, more than the %d messages allowed in flight; lower batch(..) or raise maxInFlight(..)"
                .formatted(batch, messages));
      }
    }

    /**
     * How many messages are in flight unless one says so: a server takes large batches of few lanes
     * at less cost than small ones of all.
     */
    public static int inFlight(int batch) {
      return (int) Math.min(Integer.MAX_VALUE, Math.max(FEW, BATCHES * batch));
    }
  }

  /**
   * How long a publish and a close may take, how long an idle relay waits, and how long a few
   * finished messages may wait to be settled together; zero is not at all.
   */
  public record Deadlines(Duration publish, Duration close, Duration poll, Duration linger) {
    /**
     * @throws IllegalArgumentException when one of them is not positive or longer than a day, but
     *     that {@code linger} may be zero
     */
    public Deadlines {
      requirePositive("publishDeadline", publish);
      requirePositive("closeDeadline", close);
      requirePositive("poll", poll);
      if (linger.isNegative()) {
        throw new IllegalArgumentException("linger is " + linger + ", the minimum is zero");
      }
      requireAtMostADay("publishDeadline", publish);
      requireAtMostADay("closeDeadline", close);
      requireAtMostADay("poll", poll);
      requireAtMostADay("linger", linger);
    }
  }

  /** The retry policy of each topic. */
  public record Retries(RetryPolicy standard, Map<String, RetryPolicy> byTopic) {
    public Retries {
      byTopic = Map.copyOf(byTopic);
    }

    public RetryPolicy of(String topic) {
      return byTopic.getOrDefault(topic, standard);
    }
  }

  private static void requirePositive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " is " + value + ", it must be positive");
    }
  }

  private static void requireAtMostADay(String name, Duration value) {
    if (value.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(
          name + " is " + value + ", the limit is " + Duration.ofDays(1));
    }
  }

  private static void requireAtLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " is " + value + ", the minimum is 1");
    }
  }
}
