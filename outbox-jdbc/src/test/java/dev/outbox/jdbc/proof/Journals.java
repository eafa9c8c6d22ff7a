package dev.outbox.jdbc.proof;

import static java.util.Objects.requireNonNull;

import dev.outbox.testkit.history.History;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.history.Leftovers;
import dev.outbox.testkit.history.Note;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.history.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All journals of one proof together, in the order of the machine's clock; read as far as they are
 * written, again and again.
 *
 * <p>Used by one thread.
 */
final class Journals {
  private final Path folder;
  private final Map<Path, Long> readUpTo = new HashMap<>();
  private final List<Note> notes = new ArrayList<>();

  /** Of all journals in {@code folder}, now or later. */
  Journals(Path folder) {
    this.folder = folder;
  }

  /** A message that began to arrive for the {@code first} time, and does once {@code again}. */
  record Repeat(Note first, Note again) {
    String id() {
      return subject(again).id().toString();
    }
  }

  /** A time during which a fault lasted, on the machine's monotonic clock. */
  record Window(long begun, long ended) {
    /** Of a message in flight when the fault began, or handed out while it lasted. */
    boolean explains(Repeat repeat) {
      return repeat.first().at() < ended && repeat.again().at() > begun;
    }
  }

  /** Reads what has been written since the last time. */
  Journals refresh() {
    notes.addAll(Journal.readOn(folder, readUpTo));
    notes.sort(Comparator.comparingLong(Note::at));
    return this;
  }

  private static Subject subject(Note note) {
    return requireNonNull(note.subject());
  }

  Stream<Note> of(NoteKind kind) {
    return notes.stream().filter(note -> note.noteKind() == kind);
  }

  Stream<Note> of(NoteKind kind, String relay) {
    return of(kind).filter(note -> note.who().equals(relay));
  }

  /** What relays told of this kind of trouble, see {@link JournalingListener}. */
  Stream<Note> troubles(String kind) {
    return of(NoteKind.NUISANCE).filter(note -> note.text().startsWith(kind));
  }

  /** How many publishes ended. */
  long published() {
    return of(NoteKind.ARRIVED).count();
  }

  /** How many publishes ended after {@code nanos}, by relay. */
  Map<String, Long> sharesSince(long nanos) {
    return of(NoteKind.ARRIVED)
        .filter(note -> note.at() > nanos)
        .collect(Collectors.groupingBy(Note::who, Collectors.counting()));
  }

  /** The messages that {@code relay} began to publish and has not ended. */
  List<Subject> inMidPublish(String relay) {
    Set<Subject> ended =
        of(NoteKind.ARRIVED, relay).map(Journals::subject).collect(Collectors.toSet());
    return of(NoteKind.ARRIVING, relay)
        .map(Journals::subject)
        .filter(subject -> !ended.contains(subject))
        .toList();
  }

  /** The ids of what was handed to the publisher of {@code relay} up to {@code nanos}. */
  Stream<String> aboard(String relay, long nanos) {
    return of(NoteKind.ABOARD, relay)
        .filter(note -> note.at() <= nanos)
        .map(note -> subject(note).id().toString());
  }

  /** The sum of one number of all settles, see {@link JournalingListener}. */
  long settled(int word) {
    return of(NoteKind.SETTLED)
        .mapToLong(note -> Long.parseLong(note.text().split(" ", -1)[word]))
        .sum();
  }

  /**
   * What the judge says to this where {@code committed} was, in the order of its numbers, and a
   * fault is before each repeat that is {@code explained}. What is aboard does not concern him:
   * nobody writes down when one message is settled.
   */
  Verdict verdict(List<Passage> committed, Predicate<Repeat> explained) {
    List<Note> all = new ArrayList<>();
    for (Passage message : committed) {
      for (NoteKind kind : List.of(NoteKind.ENQUEUED, NoteKind.COMMITTED)) {
        all.add(new Note(message.sequence(), kind, "ledger", message.subject(), null, ""));
      }
    }
    Map<Subject, Note> first = new HashMap<>();
    for (Note note : notes) {
      Note before =
          note.noteKind() == NoteKind.ARRIVING ? first.putIfAbsent(subject(note), note) : null;
      if (before != null && explained.test(new Repeat(before, note))) {
        all.add(new Note(note.at() - 1, NoteKind.FAULT, "proof", note.subject(), null, ""));
      }
    }
    all.addAll(notes.stream().filter(note -> note.noteKind() != NoteKind.ABOARD).toList());
    return History.of(all).judge(Leftovers.NOTHING);
  }
}
