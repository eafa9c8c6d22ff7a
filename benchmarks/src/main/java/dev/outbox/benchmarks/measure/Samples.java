package dev.outbox.benchmarks.measure;

import dev.outbox.benchmarks.measure.Measures.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the runs of one contender gave, in their order.
 *
 * <p>Used by one thread.
 */
public final class Samples {
  private final Map<Quantity, List<Double>> values = new LinkedHashMap<>();

  public void add(Measures measures) {
    for (Quantity quantity : measures.quantities()) {
      values.computeIfAbsent(quantity, any -> new ArrayList<>()).add(measures.get(quantity));
    }
  }

  public Iterable<Quantity> quantities() {
    return values.keySet();
  }

  public boolean has(String name) {
    return values.keySet().stream().anyMatch(quantity -> quantity.name().equals(name));
  }

  /**
   * What each run gave.
   *
   * @throws IllegalArgumentException when it was not measured
   */
  public List<Double> of(String name) {
    return values.entrySet().stream()
        .filter(entry -> entry.getKey().name().equals(name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(name + " was not measured, only " + values.keySet()));
  }

  public double median(String name) {
    return median(of(name));
  }

  /**
   * The middle one; of an even number, the mean of the two in the middle.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static double median(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing has no median");
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
