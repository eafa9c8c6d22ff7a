package dev.outbox.testkit.internal.broker;

import dev.outbox.message.Envelope;
import dev.outbox.testkit.BrokerFault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Says which envelope meets which fault: the next ones in turn, all that fit, and some at random.
 *
 * <p>Safe for use by many threads.
 */
public final class FaultScript {
  private final Deque<BrokerFault> next = new ArrayDeque<>();
  private final List<Condition> conditions = new ArrayList<>();
  private @Nullable Dice dice;

  private record Condition(Predicate<Envelope> which, BrokerFault fault) {
    /** A condition that throws is a mistake in the test, and no fault of a broker. */
    boolean fits(Envelope envelope) {
      try {
        return which.test(envelope);
      } catch (RuntimeException e) {
        throw new AssertionError("the condition of the fault %s threw %s".formatted(fault, e), e);
      }
    }
  }

  public synchronized void next(List<BrokerFault> faults) {
    faults.forEach(fault -> Objects.requireNonNull(fault, "fault"));
    next.addAll(faults);
  }

  public synchronized void when(Predicate<Envelope> fits, BrokerFault fault) {
    conditions.add(
        new Condition(
            Objects.requireNonNull(fits, "which"), Objects.requireNonNull(fault, "fault")));
  }

  public synchronized void randomly(long seed, Map<BrokerFault, Double> probabilities) {
    dice = new Dice(seed, probabilities);
  }

  public synchronized void clear() {
    next.clear();
    conditions.clear();
    dice = null;
  }

  /** The faults that {@code envelope} meets, in the order in which they strike. */
  public synchronized List<BrokerFault> faultsFor(Envelope envelope) {
    List<BrokerFault> faults = new ArrayList<>();
    if (!next.isEmpty()) {
      faults.add(next.remove());
    }
    conditions.stream()
        .filter(condition -> condition.fits(envelope))
        .forEach(condition -> faults.add(condition.fault()));
    if (dice != null) {
      faults.add(dice.roll());
    }
    return faults;
  }

  /** One draw for each envelope; the faults in the order of their names, as a map has none. */
  private static final class Dice {
    private final Random random;
    private final List<Map.Entry<BrokerFault, Double>> sides;

    Dice(long seed, Map<BrokerFault, Double> probabilities) {
      double sum = probabilities.values().stream().mapToDouble(Double::doubleValue).sum();
      boolean negative = probabilities.values().stream().anyMatch(each -> !(each >= 0));
      if (negative || sum > 1 + 1e-9) {
        throw new IllegalArgumentException(
            "the probabilities are %s with a sum of %s; each must be at least 0, the sum at most 1"
                .formatted(probabilities, sum));
      }
      this.random = new Random(seed);
      this.sides =
          probabilities.entrySet().stream()
              .<Map.Entry<BrokerFault, Double>>map(Map.Entry::copyOf)
              .sorted(Comparator.comparing(side -> side.getKey().toString()))
              .toList();
    }

    BrokerFault roll() {
      double drawn = random.nextDouble();
      for (Map.Entry<BrokerFault, Double> side : sides) {
        drawn -= side.getValue();
        if (drawn < 0) {
          return side.getKey();
        }
      }
      return BrokerFault.none();
    }
  }
}
