package dev.outbox.examples.chaos;

import dev.outbox.message.MessageId;
import dev.outbox.testkit.history.Note;
import dev.outbox.testkit.history.NoteKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The builds that processes are of: this one, and perhaps a {@code previous} one, whose programs
 * have these names, take the same words and write the same journals. In each place a process of one
 * build follows one of the other, and the first is of the previous build: so each end of a process
 * is an upgrade or a rollback.
 *
 * <p>Immutable.
 */
record Builds(@Nullable String previous) {
  private static final String MARK = ".previous";

  String classPath(int generation) {
    return previous != null && isPrevious(generation)
        ? previous
        : System.getProperty("java.class.path");
  }

  /** The name of a process, which says of which build it is. */
  String name(String place, int generation) {
    String name = place + "." + generation;
    return previous != null && isPrevious(generation) ? name + MARK : name;
  }

  private static boolean isPrevious(int generation) {
    return generation % 2 == 1;
  }

  /** How many messages of each build each build has published. */
  void tell(List<Note> notes, Tale tale) {
    if (previous == null) {
      return;
    }
    Map<String, Long> counts = counts(notes);
    for (String writer : List.of("previous", "this")) {
      for (String relay : List.of("previous", "this")) {
        String what = "of %s build, published by %s build".formatted(writer, relay);
        tale.row(what, counts.getOrDefault(writer + relay, 0L));
      }
    }
  }

  private static Map<String, Long> counts(List<Note> notes) {
    Map<MessageId, String> writers = new HashMap<>();
    Map<String, Long> counts = new HashMap<>();
    for (Note note : notes) {
      if (note.noteKind() == NoteKind.ENQUEUED) {
        writers.put(id(note), build(note.who()));
      } else if (note.noteKind() == NoteKind.ARRIVED) {
        counts.merge(writers.get(id(note)) + build(note.who()), 1L, Long::sum);
      }
    }
    return counts;
  }

  private static MessageId id(Note note) {
    return Objects.requireNonNull(note.subject()).id();
  }

  private static String build(String process) {
    return process.endsWith(MARK) ? "previous" : "this";
  }
}
