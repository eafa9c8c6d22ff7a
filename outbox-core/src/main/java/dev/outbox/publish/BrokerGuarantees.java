package dev.outbox.publish;

import java.time.Duration;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What a publisher and its broker offer beyond an answer, so that a relay can report what both
 * promise together.
 *
 * <p>Immutable. {@code dedupeWindow} is how long the broker drops a repeat of a message id, and
 * {@code dedupeCount} of how many of the last ids; null is no such bound, and both null no dedupe
 * at all. One that {@code fences} refuses what comes with an older {@link Flight#fencingToken} than
 * it has seen; {@code durability} is what outlives a delivered message.
 *
 * <pre>{@code
 * BrokerGuarantees replicated =
 *     BrokerGuarantees.nothing()
 *         .dedupes(Duration.ofMinutes(2))
 *         .fencing()
 *         .durable(BrokerGuarantees.Durability.REPLICATED);
 * BrokerGuarantees ofBoth = replicated.weakest(BrokerGuarantees.nothing().dedupes(1000));
 * Publisher declared = publisher.withGuarantees(ofBoth);
 * }</pre>
 */
public record BrokerGuarantees(
    @Nullable Duration dedupeWindow,
    @Nullable Integer dedupeCount,
    boolean fences,
    Durability durability) {
  /** A window that never ends. */
  public static final Duration FOR_EVER = Duration.ofDays(36_500);

  private static final BrokerGuarantees NOTHING =
      new BrokerGuarantees(null, null, false, Durability.UNKNOWN);

  /** What a delivered message outlives, the weakest first. */
  public enum Durability {
    /** It is not declared. */
    UNKNOWN,
    /** It is in the memory of one machine. */
    MEMORY,
    /** It is on the disk of one machine. */
    DISK,
    /** It is on several machines. */
    REPLICATED
  }

  /**
   * @throws IllegalArgumentException when the window or the count is not positive
   */
  public BrokerGuarantees {
    Objects.requireNonNull(durability, "durability");
    if (dedupeWindow != null && (dedupeWindow.isNegative() || dedupeWindow.isZero())) {
      throw new IllegalArgumentException(
          "dedupeWindow is " + dedupeWindow + ", it must be positive; leave it out for none");
    }
    if (dedupeCount != null && dedupeCount < 1) {
      throw new IllegalArgumentException(
          "dedupeCount is " + dedupeCount + ", the minimum is 1; leave it out for none");
    }
  }

  /** True when the broker drops repeats at all. */
  public boolean dedupes() {
    return dedupeWindow != null || dedupeCount != null;
  }

  /** Promises nothing: the default of every publisher. */
  public static BrokerGuarantees nothing() {
    return NOTHING;
  }

  /** The same, and the broker drops a repeat of a message id within {@code window}. */
  public BrokerGuarantees dedupes(Duration window) {
    return new BrokerGuarantees(
        Objects.requireNonNull(window, "window"), dedupeCount, fences, durability);
  }

  /** The same, and the broker drops a repeat of one of the last ids, as many as given. */
  public BrokerGuarantees dedupes(int lastIds) {
    return new BrokerGuarantees(dedupeWindow, lastIds, fences, durability);
  }

  /** The same, and the broker refuses what comes with an older fencing token. */
  public BrokerGuarantees fencing() {
    return new BrokerGuarantees(dedupeWindow, dedupeCount, true, durability);
  }

  /** The same, and a delivered message outlives this. */
  public BrokerGuarantees durable(Durability durability) {
    return new BrokerGuarantees(dedupeWindow, dedupeCount, fences, durability);
  }

  /** What both offer: the weaker of each. */
  public BrokerGuarantees weakest(BrokerGuarantees other) {
    Objects.requireNonNull(other, "other");
    boolean dedupe = dedupes() && other.dedupes();
    return new BrokerGuarantees(
        dedupe ? least(dedupeWindow, other.dedupeWindow) : null,
        dedupe ? least(dedupeCount, other.dedupeCount) : null,
        fences && other.fences,
        durability.compareTo(other.durability) <= 0 ? durability : other.durability);
  }

  /** The lower of two bounds, of which null is none. */
  private static <T extends Comparable<T>> @Nullable T least(@Nullable T one, @Nullable T other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) <= 0 ? one : other;
  }

  /** What is declared, as {@code drops repeats for PT2M, REPLICATED}. */
  @Override
  public String toString() {
    StringJoiner declared = new StringJoiner(", ").setEmptyValue("nothing declared");
    if (dedupes()) {
      declared.add("drops repeats" + lasting());
    }
    if (fences) {
      declared.add("refuses older fencing tokens");
    }
    if (durability != Durability.UNKNOWN) {
      declared.add(durability.name());
    }
    return declared.toString();
  }

  private String lasting() {
    String count = dedupeCount == null ? "" : " of the last " + dedupeCount + " ids";
    if (dedupeWindow == null) {
      return count;
    }
    return count + (dedupeWindow.equals(FOR_EVER) ? " for ever" : " for " + dedupeWindow);
  }
}
