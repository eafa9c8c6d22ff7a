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
      What what, String who, @Nullable Subject subject, @Nullable Tenure tenure, String text);

  /** One note for each of these messages. */
  default void writeAll(
      What what, String who, List<Subject> subjects, @Nullable Tenure tenure, String text) {
    subjects.forEach(subject -> write(what, who, subject, tenure, text));
  }

  /** A note of a message. */
  default void of(What what, String who, Subject subject, String text) {
    write(what, who, subject, null, text);
  }

  /** A note of no message. */
  default void of(What what, String who, String text) {
    write(what, who, null, null, text);
  }
}
