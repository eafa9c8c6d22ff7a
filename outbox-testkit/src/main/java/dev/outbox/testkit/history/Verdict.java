package dev.outbox.testkit.history;

import dev.outbox.testkit.history.Violation.Kind;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a history amounts to.
 *
 * <p>Immutable. {@code repeats} counts arrivals after the first; {@code inAir} is how many of those
 * the faults allow, message by message: a message counts for each time that a fault hit the relay
 * that had it in flight.
 */
public record Verdict(int committed, int repeats, int inAir, List<Violation> violations) {
  static final int SHOWN = 10;

  public Verdict {
    violations = List.copyOf(violations);
  }

  /** True when no promise was broken. */
  public boolean passes() {
    return violations.isEmpty();
  }

  /** How many violations of this kind there are. */
  public long count(Kind kind) {
    return violations.stream().filter(violation -> violation.kind() == kind).count();
  }

  /** One line: {@code PASS lost=0 phantom=0 reordered=0 unexplained=0 repeats=3 inflight=17}. */
  public String summary() {
    return "%s lost=%d phantom=%d reordered=%d unexplained=%d%s repeats=%d inflight=%d"
        .formatted(
            passes() ? "PASS" : "FAIL",
            count(Kind.LOST),
            count(Kind.PHANTOM),
            count(Kind.REORDERED),
            count(Kind.UNEXPLAINED),
            others(),
            repeats,
            inAir);
  }

  /** Those without their own column, where there are any. */
  private String others() {
    return violations.stream()
        .map(Violation::kind)
        .filter(kind -> kind.compareTo(Kind.UNEXPLAINED) > 0)
        .collect(Collectors.groupingBy(kind -> kind, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(entry -> " " + entry.getKey().name().toLowerCase(Locale.ROOT) + "=" + entry.getValue())
        .collect(Collectors.joining());
  }

  /** The summary, and the first violations with their timelines. */
  @Override
  public String toString() {
    String more =
        violations.size() > SHOWN ? "%nand %d more".formatted(violations.size() - SHOWN) : "";
    return violations.stream()
        .limit(SHOWN)
        .map(violation -> "%n%s".formatted(violation))
        .collect(Collectors.joining("", summary(), more));
  }
}
