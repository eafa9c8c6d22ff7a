package dev.outbox.testkit.history;

import dev.outbox.message.MessageId;
import dev.outbox.testkit.history.Violation.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the notes once for what was written, then once more for what became of it.
 *
 * <p>Used by one thread, for one verdict.
 */
final class Judge {
  private final List<Note> notes;
  private final Leftovers leftovers;
  private final List<Violation> violations = new ArrayList<>();
  private final Map<MessageId, Subject> enqueued = new LinkedHashMap<>();
  private final Map<MessageId, Integer> places = new HashMap<>();
  private final Set<MessageId> committed = new HashSet<>();
  private final Set<MessageId> expired = new HashSet<>();
  private final Set<MessageId> announced = new HashSet<>();
  private final Map<MessageId, Integer> arrivals = new HashMap<>();
  private final Set<MessageId> arrived = new HashSet<>();
  private final Map<Queue, MessageId> furthest = new HashMap<>();
  private final Set<MessageId> gone = new HashSet<>();
  private final Set<MessageId> undead = new HashSet<>();
  private Tail tail = new Tail(Map.of(), new ArrayList<>());
  private final InFlightTracker inFlightTracker = new InFlightTracker();
  private final Leases leases = new Leases();
  private int repeats;

  /** Messages of one topic and key. */
  private record Queue(String topic, String key) {}

  /** What has happened since the store was remembered, and how far the keys had come then. */
  private record Tail(Map<Queue, MessageId> furthest, List<Note> notes) {}

  Judge(List<Note> notes, Leftovers leftovers) {
    this.notes = notes;
    this.leftovers = leftovers;
  }

  Verdict verdict() {
    notes.forEach(this::noteWhatWasWritten);
    notes.forEach(this::follow);
    for (Subject subject : enqueued.values()) {
      if (committed.contains(subject.id())
          && !arrived.contains(subject.id())
          && !gone.contains(subject.id())
          && !leftovers.accounted().contains(subject.id())) {
        accuse(Kind.LOST, subject, "never arrived");
      }
    }
    leftovers
        .leftOver()
        .forEach(what -> violations.add(new Violation(Kind.LEFT_OVER, what, List.of())));
    return new Verdict(committed.size(), repeats, inFlightTracker.hits(), violations);
  }

  private void noteWhatWasWritten(Note note) {
    Subject subject = note.subject();
    if (subject != null && note.noteKind() == NoteKind.ENQUEUED) {
      places.put(subject.id(), enqueued.size());
      enqueued.put(subject.id(), subject);
    } else if (subject != null && note.noteKind() == NoteKind.COMMITTED) {
      committed.add(subject.id());
    } else if (subject != null
        && note.noteKind() == NoteKind.SETTLED
        && Fates.isExpired(note.text())) {
      expired.add(subject.id());
    }
  }

  private void follow(Note note) {
    Subject subject = note.subject();
    tail.notes().add(note);
    if (note.noteKind() == NoteKind.REMEMBERED) {
      tail = new Tail(Map.copyOf(furthest), new ArrayList<>());
    } else if (note.noteKind() == NoteKind.WENT_BACK) {
      goBack();
    } else if (note.noteKind() == NoteKind.LEASED) {
      inFlightTracker.hears(note);
      leases.leased(note).ifPresent(why -> accuse(Kind.EPOCH, note, why));
    } else if (note.noteKind() == NoteKind.FAULT) {
      inFlightTracker.fault(note);
    } else if (subject != null) {
      follow(note, subject);
    }
  }

  /**
   * What was committed since is gone; what was settled since comes back, and so does the order of
   * the keys; leases that were taken since are given again, and who died since is not dead.
   */
  private void goBack() {
    Set<MessageId> back = new HashSet<>();
    for (Note note : tail.notes()) {
      Subject subject = note.subject();
      if (note.noteKind() == NoteKind.LEASED) {
        leases.forget(note);
      } else if (subject != null && note.noteKind() == NoteKind.COMMITTED) {
        gone.add(subject.id());
      } else if (subject != null && note.noteKind() == NoteKind.SETTLED) {
        back.add(subject.id());
        if (Fates.isDead(note.text())) {
          undead.add(subject.id());
        }
      }
    }
    inFlightTracker.wentBack(back);
    furthest.clear();
    furthest.putAll(tail.furthest());
    tail = new Tail(Map.copyOf(furthest), new ArrayList<>());
  }

  private void follow(Note note, Subject subject) {
    switch (note.noteKind()) {
      case ABOARD ->
          inFlightTracker
              .aboard(note, subject)
              .ifPresent(other -> accuse(Kind.CROWDED, subject, "is in flight with " + other));
      case ANSWERED -> inFlightTracker.answered(note, subject);
      case ARRIVING -> {
        announced.add(subject.id());
        arriving(subject);
      }
      case ARRIVED -> arrived(subject);
      case SETTLED -> settled(note, subject);
      default -> {}
    }
  }

  private void settled(Note note, Subject subject) {
    inFlightTracker.hears(note);
    inFlightTracker.settled(note, subject);
    leases.settled(note).ifPresent(why -> accuse(Kind.STALE, subject, why));
    if (note.text().equals(Fates.DELIVERED) && !arrived.contains(subject.id())) {
      accuse(Kind.UNCONFIRMED, subject, "is settled as delivered and has not arrived");
    }
  }

  private void arrived(Subject subject) {
    if (!announced.contains(subject.id())) {
      arriving(subject);
    }
    if (arrivals.containsKey(subject.id())) {
      arrived.add(subject.id());
    }
  }

  private void arriving(Subject subject) {
    Subject written = enqueued.get(subject.id());
    if (written == null || !committed.contains(subject.id())) {
      accuse(Kind.PHANTOM, subject, "arrived and was never committed");
      return;
    }
    if (!written.isCarriedBy(subject)) {
      accuse(Kind.GARBLED, subject, "was written as " + written);
    }
    int times = arrivals.merge(subject.id(), 1, Integer::sum);
    if (times == 1) {
      checkOrder(written);
    } else {
      repeats++;
      if (times - 1 > inFlightTracker.hits(subject)) {
        accuse(Kind.UNEXPLAINED, subject, "arrived %d times".formatted(times));
      }
    }
  }

  private void checkOrder(Subject written) {
    if (written.key() == null || gone.contains(written.id())) {
      return;
    }
    Queue queue = new Queue(written.topic(), written.key());
    MessageId before = furthest.get(queue);
    if (before != null && place(before) > place(written.id())) {
      if (!isLate(written)) {
        accuse(Kind.REORDERED, written, "arrived after a later one of its key");
      }
      return;
    }
    furthest.put(queue, written.id());
    if (before != null && !arrived.contains(before)) {
      accuse(Kind.REORDERED, written, "began to arrive before an earlier one of its key had");
    }
  }

  private int place(MessageId id) {
    return places.getOrDefault(id, 0);
  }

  /**
   * What has expired lets go of its key; who lost its lease may still have it in flight. So does
   * what died in a tail that was lost, and then was no dead letter any more.
   */
  private boolean isLate(Subject written) {
    return undead.contains(written.id())
        || (expired.contains(written.id()) && inFlightTracker.hits(written) > 0);
  }

  private void accuse(Kind kind, Subject subject, String why) {
    violations.add(new Violation(kind, subject + " " + why, life(subject)));
  }

  private void accuse(Kind kind, Note note, String why) {
    violations.add(new Violation(kind, why, List.of(note)));
  }

  /** Lives are long: only those that will be shown are told. */
  private List<Note> life(Subject subject) {
    return violations.size() < Verdict.SHOWN ? History.life(notes, subject) : List.of();
  }
}
