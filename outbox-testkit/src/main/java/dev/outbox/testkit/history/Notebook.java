package dev.outbox.testkit.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where notes are written down: a {@link History} in this process, or a {@link Journal} that
 * outlives it.
 *
 * <p>Safe for use by many threads.
 */
public interface Notebook {
  /** The present, as the next note would have it. */
  long now();

  /** Writes one note down; it is kept when this returns. */
  void write(
      NoteKind noteKind,
      String who,
      @Nullable Subject subject,
      @Nullable LeaseRight leaseRight,
      String text);

  /** One note for each of these messages. */
  default void writeAll(
      NoteKind noteKind,
      String who,
      List<Subject> subjects,
      @Nullable LeaseRight leaseRight,
      String text) {
    subjects.forEach(subject -> write(noteKind, who, subject, leaseRight, text));
  }

  /** A note of a message. */
  default void of(NoteKind noteKind, String who, Subject subject, String text) {
    write(noteKind, who, subject, null, text);
  }

  /** A note of no message. */
  default void of(NoteKind noteKind, String who, String text) {
    write(noteKind, who, null, null, text);
  }
}
