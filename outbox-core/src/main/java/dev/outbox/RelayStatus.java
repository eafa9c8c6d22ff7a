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
 * <p>Immutable. {@code storeDownFor} is null while the database answers, and {@code
 * purgeFailingFor} while the archive is purged or need not be; both when the relay has ended.
 * {@code leaseAge} is the time since the oldest lease was renewed, null without a lease. {@code
 * brokersDown} has the topics whose broker is down and that have messages, or had some a minute
 * ago, with the time until the next probe. {@code failing} counts by topic the messages that failed
 * here and wait for another attempt, until an hour after it was due, with row claims a minute or
 * two; {@code deadLettersOfLastHour} counts those that became dead letters here. Topics beyond a
 * thousand share {@code (others)}. {@code carefulLanes} may have a message that kills relays, so
 * their messages are published one at a time.
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

  /**
   * True once {@link Relay#close} has begun.
   *
   * <pre>{@code
   * if (relay.status().isClosed()) {
   *   relay = Relay.builder(store, publisher).start();
   * }
   * }</pre>
   */
  public boolean isClosed() {
    return health == Health.DOWN && reason.equals("closed");
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

  /** Up, degraded or down. */
  public enum Health {
    /** It works. */
    UP,
    /** It works with a restriction, which {@link RelayStatus#reason} names. */
    DEGRADED,
    /**
     * It does not work: it is closed, it ended by a fault, the database does not answer, or, with
     * row claims, all workers are stuck in the publisher.
     */
    DOWN
  }

  /**
   * What was counted since the start. {@code missing} rows were no longer there when their results
   * were written; {@code repeated} messages were delivered here, but another relay has their lane
   * by now and publishes them again; {@code fenced} lanes were lost to another relay; {@code
   * foundLate} messages were committed later than the grace.
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
