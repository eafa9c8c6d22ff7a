package dev.outbox.examples.chaos;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.history.History;
import dev.outbox.testkit.history.Leftovers;
import dev.outbox.testkit.history.Note;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.history.Verdict;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads all notes and the tables when everything has ended, and judges.
 *
 * <p>Used by one thread.
 */
final class Examination {
  private static final int MOST_DEAD = 10_000;

  private final OutboxStore store;
  private final Tale tale;
  private final List<Note> notes;
  private final Lapses lapses;
  private final Set<MessageId> committed;
  private final List<String> leftOver;

  Examination(List<Note> notes, Business business, OutboxStore store, Tale tale)
      throws SQLException {
    this.store = store;
    this.tale = tale;
    this.notes = notes;
    this.lapses = new Lapses(notes, RelayProgram.LEASE);
    this.committed = business.committed();
    this.leftOver = new ArrayList<>(tale.problems());
  }

  /** What it all amounts to; the numbers behind it are told first. */
  Verdict verdict(int wanted) {
    if (committed.size() < wanted) {
      leftOver.add("%d of %d messages were written".formatted(committed.size(), wanted));
    }
    List<Note> all = new ArrayList<>(notes);
    all.addAll(lapses.faults());
    all.addAll(commitsThatOnlyTheDatabaseKnows());
    List<DeadLetter> dead = store.deadLetters().page(Filter.all(), 0, MOST_DEAD);
    dead.stream().filter(letter -> letter.reason() != Reason.CRASH).forEach(this::accuse);
    tellNumbers(dead.size());
    Set<MessageId> ids =
        dead.stream().map(letter -> letter.envelope().id()).collect(Collectors.toSet());
    return History.of(all).judge(new Leftovers(ids, leftOver));
  }

  /** The broker rejects nothing and is never down for long: only killing relays excuses a death. */
  private void accuse(DeadLetter letter) {
    leftOver.add(
        "dead letter %s %s: %s".formatted(letter.reason(), letter.envelope().id(), letter.error()));
  }

  /** Those of writers that died, or were cut off, between the commit and its answer. */
  private List<Note> commitsThatOnlyTheDatabaseKnows() {
    Set<MessageId> noted = ids(NoteKind.COMMITTED);
    if (!committed.containsAll(noted)) {
      noted.stream()
          .filter(id -> !committed.contains(id))
          .forEach(id -> leftOver.add("the database lost the commit of " + id));
    }
    List<Note> unheard = new ArrayList<>();
    Set<MessageId> known = new HashSet<>();
    for (Note note : notes) {
      Subject subject = note.subject();
      if (subject != null && note.noteKind() == NoteKind.ENQUEUED) {
        known.add(subject.id());
        if (committed.contains(subject.id()) && !noted.contains(subject.id())) {
          unheard.add(
              new Note(note.at() + 1, NoteKind.COMMITTED, "database", subject, null, "unheard"));
        }
      }
    }
    committed.stream()
        .filter(id -> !known.contains(id))
        .forEach(id -> leftOver.add(id + " is committed and in no writer's journal"));
    return unheard;
  }

  private Set<MessageId> ids(NoteKind noteKind) {
    return notes.stream()
        .filter(note -> note.noteKind() == noteKind)
        .map(Note::subject)
        .filter(Objects::nonNull)
        .map(Subject::id)
        .collect(Collectors.toSet());
  }

  private void tellNumbers(int dead) {
    Set<MessageId> enqueued = ids(NoteKind.ENQUEUED);
    tale.line("");
    tale.row("committed with their change", committed.size());
    tale.row(
        "rolled back with their change, also by a kill",
        enqueued.stream().filter(id -> !committed.contains(id)).count());
    tale.row("arrived", count(NoteKind.ARRIVED));
    tale.row("of them different messages", ids(NoteKind.ARRIVED).size());
    tale.row("answered as delivered while the faults went on", deliveredBeforeTheLastFault());
    tale.row("answered with a failure and tried again", failures());
    tale.row("dead letters", dead);
    tale.row("lanes taken over after their lease ran out", lapses.faults().size());
    tale.row("of them from relays that nothing was done to", lapses.unprovoked());
  }

  private long deliveredBeforeTheLastFault() {
    long last =
        notes.stream()
            .filter(
                note -> note.noteKind() == NoteKind.FAULT || note.noteKind() == NoteKind.NUISANCE)
            .mapToLong(Note::at)
            .max()
            .orElse(0);
    return notes.stream().filter(note -> isDelivered(note) && note.at() < last).count();
  }

  private long count(NoteKind noteKind) {
    return notes.stream().filter(note -> note.noteKind() == noteKind).count();
  }

  private long failures() {
    return notes.stream()
        .filter(note -> note.noteKind() == NoteKind.ANSWERED && !isDelivered(note))
        .count();
  }

  private static boolean isDelivered(Note note) {
    return note.noteKind() == NoteKind.ANSWERED
        && note.text().equals(Ack.Delivered.class.getSimpleName());
  }
}
