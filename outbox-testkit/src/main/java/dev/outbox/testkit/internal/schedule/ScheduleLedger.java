package dev.outbox.testkit.internal.schedule;

import dev.outbox.message.MessageId;
import dev.outbox.testkit.history.History;
import dev.outbox.testkit.history.LeaseRight;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Notebook;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.schedule.Coverage;
import dev.outbox.testkit.schedule.CoveredEvent;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The history of a run, and what is counted as it is written.
 *
 * <p>Used by one thread.
 */
public final class ScheduleLedger implements Notebook {
  private final History history;
  private final Map<CoveredEvent, Long> counts = new EnumMap<>(CoveredEvent.class);
  private final Map<MessageId, Integer> places = new HashMap<>();
  private final Map<MessageId, Integer> arrivals = new HashMap<>();
  private final Map<MessageId, String> buried = new HashMap<>();
  private int furthest = -1;
  private int size;

  ScheduleLedger(LongSupplier clock) {
    this.history = History.withClock(clock);
  }

  History history() {
    return history;
  }

  /** How many notes there are. */
  int size() {
    return size;
  }

  void count(CoveredEvent coveredEvent) {
    counts.merge(coveredEvent, 1L, Long::sum);
  }

  public Coverage coverage() {
    return new Coverage(counts);
  }

  /** Who wrote last that the message is dead, or null. Whether it is so only the store can tell. */
  @Nullable String buriedBy(MessageId id) {
    return buried.get(id);
  }

  @Override
  public long now() {
    return history.now();
  }

  @Override
  public void write(
      NoteKind noteKind,
      String who,
      @Nullable Subject subject,
      @Nullable LeaseRight leaseRight,
      String text) {
    size++;
    history.write(noteKind, who, subject, leaseRight, text);
    if (subject != null) {
      count(noteKind, who, subject.id(), text);
    } else if (noteKind == NoteKind.FENCED) {
      count(CoveredEvent.FENCED);
    } else if (noteKind == NoteKind.LEASED && !text.isEmpty()) {
      count(CoveredEvent.TAKEOVER);
    }
  }

  private void count(NoteKind noteKind, String who, MessageId id, String text) {
    switch (noteKind) {
      case ENQUEUED -> places.putIfAbsent(id, places.size());
      case COMMITTED -> {
        if (places.getOrDefault(id, 0) < furthest) {
          count(CoveredEvent.LATE_COMMIT);
        }
      }
      case ARRIVED -> {
        furthest = Math.max(furthest, places.getOrDefault(id, 0));
        if (arrivals.merge(id, 1, Integer::sum) > 1) {
          count(CoveredEvent.REPEAT);
        }
      }
      case SETTLED -> settled(who, id, text);
      default -> {}
    }
  }

  private void settled(String who, MessageId id, String text) {
    if (text.startsWith("parked")) {
      count(CoveredEvent.PARKED);
    } else if (text.startsWith("dead")) {
      buried.put(id, who);
      count(text.endsWith("CRASH") ? CoveredEvent.DEAD_BY_CRASH : CoveredEvent.DEAD);
    }
  }
}
