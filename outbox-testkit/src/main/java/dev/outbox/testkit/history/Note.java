package dev.outbox.testkit.history;

import org.jspecify.annotations.Nullable;

/**
 * One thing that happened: when, what, to whom or by whom, and of which message or lane.
 *
 * <p>Immutable. {@code at} orders the notes of one history and is different for each of them; it is
 * nanoseconds of whatever clock the history has.
 */
public record Note(
    long at,
    What what,
    String who,
    @Nullable Subject subject,
    @Nullable Tenure tenure,
    String text) {

  /** True when it is of the message that {@code other} is of. */
  boolean isOf(Subject other) {
    return subject != null && subject.id().equals(other.id());
  }

  /**
   * True when it is a turn in the life of the relay of {@code aboard}, if of a lane then of its.
   */
  boolean isTurnIn(Note aboard) {
    return what == What.WENT_BACK || isTurnOf(aboard);
  }

  private boolean isTurnOf(Note aboard) {
    return subject == null
        && (what == What.FAULT || what == What.CLOSED)
        && who.equals(aboard.who)
        && (tenure == null || tenure.isSameAs(aboard.tenure));
  }

  @Override
  public String toString() {
    StringBuilder words = new StringBuilder().append(who).append(' ').append(what);
    if (subject != null) {
      words.append(' ').append(subject);
    }
    if (tenure != null) {
      words.append(" (").append(tenure).append(')');
    }
    if (!text.isEmpty()) {
      words.append(": ").append(text);
    }
    return words.toString();
  }
}
