package dev.outbox.examples.chaos;

import dev.outbox.examples.chaos.Plan.Fault;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Tells what happens while it happens, and keeps count.
 *
 * <p>Used by one thread.
 */
final class Tale {
  private final PrintStream out;
  private final long began = System.nanoTime();
  private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
  private final List<String> problems = new ArrayList<>();

  Tale(PrintStream out) {
    this.out = out;
  }

  void tell(String format, Object... values) {
    double seconds = (System.nanoTime() - began) / 1e9;
    out.printf(Locale.ROOT, "%6.1f s  %s%n", seconds, String.format(Locale.ROOT, format, values));
  }

  void fault(Fault fault, String format, Object... values) {
    faults.merge(fault, 1, Integer::sum);
    tell(format, values);
  }

  /** Something that must not happen. */
  void problem(String format, Object... values) {
    String problem = String.format(Locale.ROOT, format, values);
    problems.add(problem);
    tell("PROBLEM: %s", problem);
  }

  int count(Fault fault) {
    return faults.getOrDefault(fault, 0);
  }

  List<String> problems() {
    return List.copyOf(problems);
  }

  /** One line of the summary. */
  void row(String what, long count) {
    out.printf(Locale.ROOT, "   %-52s %7d%n", what, count);
  }

  void line(String line) {
    out.println(line);
  }
}
