package dev.outbox.examples.chaos;

import dev.outbox.testkit.history.LeaseRight;
import dev.outbox.testkit.history.Note;
import dev.outbox.testkit.history.NoteKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Leases that had run out when another relay took the lane, found in the notes of all relays.
 *
 * <p>Used by one thread. A lane that is taken while its lease still runs is not among them: then
 * nothing excuses what is published again.
 */
/*
 * A lease runs from when its claim or its last renewal was asked for, as far as its owner heard of an answer. So the moment of
 * the fault is the earliest at which another relay can rightly have the lane, which is before anything that the other one
 * publishes; and whatever goes aboard after that moment is not excused, because the owner knew.
 */
final class Lapses {
  private final Duration lease;
  private final Map<Integer, Holder> holders = new HashMap<>();
  private final Map<String, Long> troubled = new HashMap<>();
  private final List<Note> faults = new ArrayList<>();
  private int unprovoked;

  /** Who has a lane, and since when its lease runs. */
  private record Holder(String who, LeaseRight leaseRight) {}

  Lapses(List<Note> notes, Duration lease) {
    this.lease = lease;
    notes.forEach(this::follow);
  }

  /** One fault for each lane that a relay lost because its lease had run out. */
  List<Note> faults() {
    return List.copyOf(faults);
  }

  /** How many of them befell a relay to which nothing had been done. */
  int unprovoked() {
    return unprovoked;
  }

  private void follow(Note note) {
    LeaseRight leaseRight = note.leaseRight();
    if (note.subject() == null
        && (note.noteKind() == NoteKind.NUISANCE || note.noteKind() == NoteKind.FAULT)) {
      troubled.put(note.who(), note.at());
    } else if (leaseRight != null) {
      follow(note, leaseRight);
    }
  }

  private void follow(Note note, LeaseRight leaseRight) {
    Holder holder = holders.get(leaseRight.lane());
    boolean own = holder != null && holder.leaseRight().epoch() == leaseRight.epoch();
    switch (note.noteKind()) {
      case LEASED -> {
        if (holder != null) {
          taken(holder, note);
        }
        holders.put(leaseRight.lane(), new Holder(note.who(), leaseRight));
      }
      case RENEWED -> {
        if (own) {
          holders.put(leaseRight.lane(), new Holder(note.who(), leaseRight));
        }
      }
      case RELEASED -> {
        if (own) {
          holders.remove(leaseRight.lane());
        }
      }
      default -> {}
    }
  }

  private void taken(Holder holder, Note claim) {
    long ranOut = holder.leaseRight().asked() + lease.toNanos();
    if (ranOut < claim.at()) {
      faults.add(
          new Note(
              ranOut,
              NoteKind.FAULT,
              holder.who(),
              null,
              holder.leaseRight(),
              "its lease ran out"));
      if (!isTroubled(holder.who(), holder) && !isTroubled("database", holder)) {
        unprovoked++;
      }
    }
  }

  /** Whether anything was done to {@code who} since a lease before the holder last renewed. */
  private boolean isTroubled(String who, Holder holder) {
    Long last = troubled.get(who);
    return last != null && last > holder.leaseRight().asked() - lease.toNanos();
  }
}
