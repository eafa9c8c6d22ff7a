package dev.outbox.testkit.schedule;

import dev.outbox.message.MessageId;
import dev.outbox.testkit.history.History;
import dev.outbox.testkit.history.Notebook;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.history.Tenure;
import dev.outbox.testkit.history.What;
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
final class Ledger implements Notebook {
  private final History history;
  private final Map<Happening, Long> counts = new EnumMap<>(Happening.class);
  private final Map<MessageId, Integer> places = new HashMap<>();
  private final Map<MessageId, Integer> arrivals = new HashMap<>();
  private final Map<MessageId, String> buried = new HashMap<>();
  private int furthest = -1;
  private int size;

  Ledger(LongSupplier clock) {
    this.history = History.withClock(clock);
  }

  History history() {
    return history;
  }

  /** How many notes there are. */
  int size() {
    return size;
  }

  void count(Happening happening) {
    counts.merge(happening, 1L, Long::sum);
  }

  Coverage coverage() {
    return new Coverage(counts);
  }

  /** Who wrote last that the message is dead, or null. Whether it is so only the store can tell. */
  @Nullable String buriedBy(MessageId id) {
    return buried.get(id);
  }

  boolean hasArrived(MessageId id) {
    return arrivals.containsKey(id);
  }

  @Override
  public long now() {
    return history.now();
  }

  @Override
  public void write(
      What what, String who, @Nullable Subject subject, @Nullable Tenure tenure, String text) {
    size++;
    history.write(what, who, subject, tenure, text);
    if (subject != null) {
      count(what, who, subject.id(), text);
    } else if (what == What.FENCED) {
      count(Happening.FENCED);
    } else if (what == What.LEASED && !text.isEmpty()) {
      count(Happening.TAKEOVER);
    }
  }

  private void count(What what, String who, MessageId id, String text) {
    switch (what) {
      case ENQUEUED -> places.putIfAbsent(id, places.size());
      case COMMITTED -> {
        if (places.getOrDefault(id, 0) < furthest) {
          count(Happening.LATE_COMMIT);
        }
      }
      case ARRIVED -> {
        furthest = Math.max(furthest, places.getOrDefault(id, 0));
        if (arrivals.merge(id, 1, Integer::sum) > 1) {
          count(Happening.REPEAT);
        }
      }
      case SETTLED -> settled(who, id, text);
      default -> {}
    }
  }

  private void settled(String who, MessageId id, String text) {
    if (text.startsWith("parked")) {
      count(Happening.PARKED);
    } else if (text.startsWith("dead")) {
      buried.put(id, who);
      count(text.endsWith("CRASH") ? Happening.DEAD_BY_CRASH : Happening.DEAD);
    }
  }
}
