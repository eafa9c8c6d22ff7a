package dev.outbox.examples.quickstart;

import java.io.PrintStream;
import java.util.Locale;

/** Tells what happens, step by step, and ends with a table. */
final class Story {
  private final PrintStream out;
  private final long began = System.nanoTime();
  private int step;

  Story(PrintStream out) {
    this.out = out;
  }

  void tell(String format, Object... values) {
    double seconds = (System.nanoTime() - began) / 1e9;
    out.printf(
        Locale.ROOT,
        "%5.1f s  %d. %s%n",
        seconds,
        ++step,
        String.format(Locale.ROOT, format, values));
  }

  void end(Tally tally) {
    out.println();
    row("committed with their orders", tally.committed());
    row("rolled back with their orders", tally.rolledBack());
    row("published", tally.published());
    row("refused by the broker, then retried", tally.retried());
    row("repeated after the kill (same message id)", tally.repeated());
    row("published though never committed", tally.phantom());
    row("lost", tally.lost());
    out.println();
    out.println(tally.line());
  }

  private void row(String what, int count) {
    out.printf(Locale.ROOT, "   %-42s %6d%n", what, count);
  }
}
