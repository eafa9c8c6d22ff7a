package dev.outbox.benchmarks.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What one run of one contender gave, by what was measured.
 *
 * <p>Used by one thread.
 */
public final class Measures {
  private final Map<Quantity, Double> values = new LinkedHashMap<>();

  /** What was measured, and in what unit. */
  public record Quantity(String name, String unit) {}

  public Measures put(String name, String unit, double value) {
    values.put(new Quantity(name, unit), value);
    return this;
  }

  public Set<Quantity> quantities() {
    return values.keySet();
  }

  /**
   * The value of {@code quantity}.
   *
   * @throws IllegalArgumentException when it was not measured
   */
  public double get(Quantity quantity) {
    Double value = values.get(quantity);
    if (value == null) {
      throw new IllegalArgumentException(quantity + " was not measured, only " + values.keySet());
    }
    return value;
  }
}
