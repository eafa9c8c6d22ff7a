package dev.outbox.testkit.history;

import dev.outbox.message.MessageId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A note as a line of text: its parts between tabs, an absent one as nothing. */
final class JournalLine {
  private static final String ABSENT = "";

  private JournalLine() {}

  static String of(Note note) {
    Subject subject = note.subject();
    LeaseRight leaseRight = note.leaseRight();
    List<Object> parts =
        List.of(
            note.at(),
            note.noteKind(),
            plain(note.who()),
            subject == null ? ABSENT : subject.id(),
            subject == null ? ABSENT : plain(subject.topic()),
            subject == null || subject.key() == null ? ABSENT : "=" + plain(subject.key()),
            subject == null ? ABSENT : subject.digest(),
            leaseRight == null ? ABSENT : leaseRight.lane(),
            leaseRight == null ? ABSENT : leaseRight.epoch(),
            leaseRight == null ? ABSENT : leaseRight.asked(),
            plain(note.text()));
    return String.join("\t", parts.stream().map(Object::toString).toList()) + "\n";
  }

  private static String plain(String text) {
    return text.replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
  }

  static Note parse(String line) {
    List<String> parts = List.of(line.split("\t", -1));
    return new Note(
        Long.parseLong(parts.get(0)),
        NoteKind.valueOf(parts.get(1)),
        parts.get(2),
        subject(parts.subList(3, 7)),
        tenure(parts.subList(7, 10)),
        parts.get(10));
  }

  private static @Nullable Subject subject(List<String> parts) {
    if (parts.get(0).isEmpty()) {
      return null;
    }
    String key = parts.get(2).isEmpty() ? null : parts.get(2).substring(1);
    return new Subject(
        MessageId.parse(parts.get(0)), parts.get(1), key, Long.parseLong(parts.get(3)));
  }

  private static @Nullable LeaseRight tenure(List<String> parts) {
    return parts.get(0).isEmpty()
        ? null
        : new LeaseRight(
            Integer.parseInt(parts.get(0)),
            Long.parseLong(parts.get(1)),
            Long.parseLong(parts.get(2)));
  }
}
