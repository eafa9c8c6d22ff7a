package dev.outbox.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Under what terms a workload ran, by name, in their order.
 *
 * <p>Immutable.
 */
public record Variant(Map<String, String> terms) {
  public static final Variant NONE = new Variant(Map.of());

  public Variant {
    terms = new LinkedHashMap<>(terms);
  }

  public Variant with(String name, Object value) {
    Map<String, String> more = new LinkedHashMap<>(terms);
    more.put(name, String.valueOf(value));
    return new Variant(more);
  }

  /**
   * The term called {@code name}.
   *
   * @throws IllegalArgumentException when there is none
   */
  public String text(String name) {
    String term = terms.get(name);
    if (term == null) {
      throw new IllegalArgumentException("there is no term " + name + " in " + terms);
    }
    return term;
  }

  /** The term called {@code name}, as a number. */
  public int number(String name) {
    return Integer.parseInt(text(name));
  }

  /** Whether no term is another than {@code wanted}. */
  public boolean matches(Map<String, String> wanted) {
    return wanted.entrySet().stream()
        .allMatch(entry -> entry.getValue().equals(terms.get(entry.getKey())));
  }

  @Override
  public String toString() {
    return terms.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }
}
