package dev.outbox.testkit.history;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A promise that was broken, with the notes that show it.
 *
 * <p>Immutable.
 */
public record Violation(Kind kind, String what, List<Note> life) {
  /** Which promise. */
  public enum Kind {
    /** Committed, and neither arrived nor accounted for. */
    LOST,
    /** Published, and never committed. */
    PHANTOM,
    /** Arrived for the first time after a later one of its key, or before an earlier one had. */
    REORDERED,
    /** Arrived again, and no fault hit the process that had it in flight. */
    UNEXPLAINED,
    /** Arrived with another payload, topic or key. */
    GARBLED,
    /** Went aboard while another of its key was in flight with the same relay. */
    CROWDED,
    /** Was settled as delivered before the broker had it. */
    UNCONFIRMED,
    /** A lane was leased with an epoch that is not above all earlier ones. */
    EPOCH,
    /** A settle took effect under a lease that another relay had already replaced. */
    STALE,
    /** Something is left that should be gone. */
    LEFT_OVER,
    /** A relay, a store or a publisher threw what no test had put there. */
    THREW
  }

  public Violation {
    life = List.copyOf(life);
  }

  /** The violation and, below it, the timeline that shows it. */
  @Override
  public String toString() {
    return kind + " " + what + life.stream().map(Violation::line).collect(Collectors.joining());
  }

  private static String line(Note note) {
    return "%n    %,20d  %s".formatted(note.at(), note);
  }
}
