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
    NoteKind noteKind,
    String who,
    @Nullable Subject subject,
    @Nullable LeaseRight leaseRight,
    String text) {

  /** True when it is of the message that {@code other} is of. */
  boolean isOf(Subject other) {
    return subject != null && subject.id().equals(other.id());
  }

  /**
   * True when it is a turn in the life of the relay of {@code aboard}, if of a lane then of its.
   */
  boolean isTurnIn(Note aboard) {
    return noteKind == NoteKind.WENT_BACK || isTurnOf(aboard);
  }

  private boolean isTurnOf(Note aboard) {
    return subject == null
        && (noteKind == NoteKind.FAULT || noteKind == NoteKind.CLOSED)
        && who.equals(aboard.who)
        && (leaseRight == null || leaseRight.isSameAs(aboard.leaseRight));
  }

  @Override
  public String toString() {
    StringBuilder words = new StringBuilder().append(who).append(' ').append(noteKind);
    if (subject != null) {
      words.append(' ').append(subject);
    }
    if (leaseRight != null) {
      words.append(" (").append(leaseRight).append(')');
    }
    if (!text.isEmpty()) {
      words.append(": ").append(text);
    }
    return words.toString();
  }
}
