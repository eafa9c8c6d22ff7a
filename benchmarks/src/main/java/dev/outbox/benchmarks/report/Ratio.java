package dev.outbox.benchmarks.report;

import java.util.Locale;

/**
 * One contender's figure over another's, or the difference between them, in one run of the program.
 *
 * <p>Immutable.
 */
public record Ratio(
    Kind kind, String workload, String database, String what, Variant variant, double value) {
  /** How the two were compared. */
  public enum Kind {
    RATIO,
    DIFFERENCE
  }

  /** The line that is printed for it, such as {@code ratio drain postgres outbox/raw 0.83}. */
  public String line() {
    String terms = variant.terms().isEmpty() ? "" : "  (" + variant + ")";
    String name = kind.name().toLowerCase(Locale.ROOT);
    return String.format(
        Locale.ROOT, "%s %s %s %s %.2f%s", name, workload, database, what, value, terms);
  }
}
