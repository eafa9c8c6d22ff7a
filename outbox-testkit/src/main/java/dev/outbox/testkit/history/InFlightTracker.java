package dev.outbox.testkit.history;

import dev.outbox.message.MessageId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What each process has in flight, and which of it a fault has hit.
 *
 * <p>Used by one thread. A message is in flight of a relay from when it is handed to the publisher
 * until its fate is settled. A fault of the relay hits all that it has in flight, once, or what it
 * has there under one tenure; a fault of the broker hits the one message that it is about. Each hit
 * excuses one repeat of that message. A store that goes back hits all that is in flight, and what
 * was settled since.
 */
final class InFlightTracker {
  /**
   * Ends the text of {@link NoteKind#ABOARD} where a publisher takes several of a key at a time.
   */
  static final String PIPELINED = "pipelined";

  private final Map<String, Map<MessageId, Exposure>> aboard = new HashMap<>();
  private final Map<MessageId, Integer> hits = new HashMap<>();
  private final Set<String> heard = new HashSet<>();
  private boolean wentBack;
  private int all;

  /** One message in flight. */
  private static final class Exposure {
    final Subject subject;
    final String flight;
    final @Nullable LeaseRight leaseRight;
    boolean unanswered = true;
    boolean hit;

    Exposure(Subject subject, Note note) {
      this.subject = subject;
      this.flight = note.text();
      this.leaseRight = note.leaseRight();
    }

    /** True when what is done to all under that right, or to all of the relay, is done to this. */
    boolean isUnder(@Nullable LeaseRight other) {
      return other == null || other.isSameAs(leaseRight);
    }

    /** True when the other must not be in flight while this one is. */
    boolean crowds(Subject other, String flightOfOther) {
      boolean together = flight.equals(flightOfOther) && flight.endsWith(PIPELINED);
      return unanswered
          && !together
          && subject.key() != null
          && subject.key().equals(other.key())
          && subject.topic().equals(other.topic())
          && !subject.id().equals(other.id());
    }
  }

  /** Handed to the publisher. Returns another of its key that has not been answered yet. */
  Optional<Subject> aboard(Note note, Subject subject) {
    Map<MessageId, Exposure> own = aboard.computeIfAbsent(note.who(), who -> new LinkedHashMap<>());
    Optional<Subject> other =
        own.values().stream()
            .filter(exposure -> exposure.crowds(subject, note.text()))
            .map(exposure -> exposure.subject)
            .findFirst();
    Exposure exposure = new Exposure(subject, note);
    own.put(subject.id(), exposure);
    if (wentBack && !heard.contains(note.who())) {
      hit(exposure);
    }
    return other;
  }

  /** A relay has had an answer of the store: what it hands out from now on is no longer excused. */
  void hears(Note note) {
    heard.add(note.who());
  }

  void answered(Note note, Subject subject) {
    Exposure exposure = aboard.getOrDefault(note.who(), Map.of()).get(subject.id());
    if (exposure != null) {
      exposure.unanswered = false;
    }
  }

  void settled(Note note, Subject subject) {
    Map<MessageId, Exposure> own = aboard.get(note.who());
    if (own != null) {
      own.remove(subject.id());
    }
  }

  void fault(Note note) {
    Subject subject = note.subject();
    if (subject != null) {
      hit(subject.id());
      return;
    }
    for (Exposure exposure : aboard.getOrDefault(note.who(), Map.of()).values()) {
      if (exposure.isUnder(note.leaseRight())) {
        exposure.unanswered = false;
        hit(exposure);
      }
    }
  }

  /**
   * The store went back: these, which were settled, are there as before; and whoever has something
   * in flight, or hands something out before it has heard, may find that another relay owns its
   * lane.
   */
  void wentBack(Set<MessageId> settled) {
    settled.forEach(this::hit);
    wentBack = true;
    heard.clear();
    for (Map<MessageId, Exposure> own : aboard.values()) {
      for (Exposure exposure : own.values()) {
        exposure.unanswered = false;
        hit(exposure);
      }
    }
  }

  private void hit(Exposure exposure) {
    if (!exposure.hit) {
      exposure.hit = true;
      hit(exposure.subject.id());
    }
  }

  private void hit(MessageId id) {
    hits.merge(id, 1, Integer::sum);
    all++;
  }

  /** How many repeats of this message are excused so far. */
  int hits(Subject subject) {
    return hits.getOrDefault(subject.id(), 0);
  }

  /** How many repeats of all messages are excused so far. */
  int hits() {
    return all;
  }
}
