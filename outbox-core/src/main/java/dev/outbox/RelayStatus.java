package dev.outbox;

import dev.outbox.internal.text.ShortText;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The state of a relay, as it knows it itself.
 *
 * <p>Immutable. {@code storeDownFor} is null while the database answers, {@code purgeFailingFor}
 * while the archive is purged or need not be, {@code leaseAge} while it has no lease, else the time
 * since the oldest was renewed; {@code brokersDown} are the topics whose breaker is open and that
 * have messages, or had some a minute ago, with the time until the next probe. {@code failing}
 * counts by topic the messages that failed here and wait for another attempt, until an hour after
 * it was due, {@code deadLettersOfLastHour} those that became dead letters here; topics beyond a
 * thousand share {@code (others)}. {@code carefulLanes} are suspected of a message that kills
 * relays.
 */
public record RelayStatus(
    String name,
    Health health,
    String reason,
    Set<Integer> lanes,
    Set<Integer> carefulLanes,
    int inMemory,
    int stuckThreads,
    Map<String, Duration> brokersDown,
    Map<String, Integer> failing,
    Map<String, Integer> deadLettersOfLastHour,
    @Nullable Duration storeDownFor,
    @Nullable Duration purgeFailingFor,
    @Nullable Duration leaseAge,
    Counts counts) {

  public RelayStatus {
    lanes = Collections.unmodifiableSet(new TreeSet<>(lanes));
    carefulLanes = Collections.unmodifiableSet(new TreeSet<>(carefulLanes));
    brokersDown = Collections.unmodifiableMap(new TreeMap<>(brokersDown));
    failing = Collections.unmodifiableMap(new TreeMap<>(failing));
    deadLettersOfLastHour = Collections.unmodifiableMap(new TreeMap<>(deadLettersOfLastHour));
  }

  /** In one line: what is not zero, and lanes as ranges. */
  @Override
  public String toString() {
    StringJoiner parts = new StringJoiner("; ");
    parts.add(
        name + " " + health + (reason.isEmpty() ? "" : " (" + ShortText.oneLine(reason) + ")"));
    parts.add("lanes " + ShortText.ranges(lanes));
    parts.add(inMemory + " in memory");
    parts.add(counts.toString());
    return parts.toString();
  }

  /** The one word. */
  public enum Health {
    /** It works. */
    UP,
    /** It works, but not for everything: {@link RelayStatus#reason} says what. */
    DEGRADED,
    /** It does not work: closed, ended by a fault, or without its database. */
    DOWN
  }

  /**
   * What was counted since the start. {@code missing} rows were settled but no longer there, {@code
   * repeated} messages were delivered here but belong to another relay by now, which publishes them
   * again, {@code fenced} lanes were lost to another relay, {@code foundLate} messages were
   * committed later than the grace.
   */
  public record Counts(
      long delivered,
      long parked,
      long deadLettered,
      long missing,
      long repeated,
      long fenced,
      long ignoredAnswers,
      long foundLate) {
    /** As {@code delivered 12, parked 1}: what is not zero. */
    @Override
    public String toString() {
      Map<String, Long> named = new LinkedHashMap<>();
      named.put("delivered", delivered);
      named.put("parked", parked);
      named.put("dead-lettered", deadLettered);
      named.put("missing", missing);
      named.put("repeated", repeated);
      named.put("fenced", fenced);
      named.put("ignored answers", ignoredAnswers);
      named.put("found late", foundLate);
      return named.values().stream().allMatch(count -> count == 0)
          ? "delivered 0"
          : ShortText.counts(named);
    }
  }
}
