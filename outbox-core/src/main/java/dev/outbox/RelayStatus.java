package dev.outbox;

import dev.outbox.internal.relay.Overview;
import dev.outbox.message.Lane;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How a relay stands, as it knows itself.
 *
 * <p>Immutable. {@code storeDownFor} is null while the database answers, {@code purgeFailingFor}
 * while the archive is purged or need not be; {@code brokersDown} are the topics whose breaker is
 * open and that have messages, or had some a minute ago, with the time until the next probe; {@code
 * carefulLanes} are suspected of a message that kills relays.
 */
public record RelayStatus(
    String name,
    Health health,
    String reason,
    Set<Lane> lanes,
    Set<Lane> carefulLanes,
    int inMemory,
    int stuckThreads,
    Map<String, Duration> brokersDown,
    @Nullable Duration storeDownFor,
    @Nullable Duration purgeFailingFor,
    Counts counts) {

  public RelayStatus {
    lanes = Collections.unmodifiableSet(new TreeSet<>(lanes));
    carefulLanes = Collections.unmodifiableSet(new TreeSet<>(carefulLanes));
    brokersDown = Collections.unmodifiableMap(new TreeMap<>(brokersDown));
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
   * fenced} lanes were lost to another relay, {@code foundLate} messages were committed later than
   * the grace.
   */
  public record Counts(
      long delivered,
      long parked,
      long died,
      long missing,
      long fenced,
      long ignoredAnswers,
      long foundLate) {}

  static RelayStatus of(String name, Overview seen) {
    Overview.Counts counts = seen.counts();
    String trouble = trouble(seen);
    String flaw = flaw(seen);
    return new RelayStatus(
        name,
        !trouble.isEmpty() ? Health.DOWN : flaw.isEmpty() ? Health.UP : Health.DEGRADED,
        trouble.isEmpty() ? flaw : trouble,
        seen.lanes(),
        seen.carefulLanes(),
        seen.inMemory(),
        seen.stuckThreads(),
        seen.down(),
        seen.signs().storeDownFor(),
        seen.signs().purgeFailingFor(),
        new Counts(
            counts.delivered(),
            counts.parked(),
            counts.died(),
            counts.missing(),
            counts.fenced(),
            counts.ignoredAnswers(),
            counts.foundLate()));
  }

  private static String trouble(Overview seen) {
    Overview.Signs signs = seen.signs();
    if (signs.stopped()) {
      return "closed";
    }
    if (!signs.alive()) {
      return "ended by a fault of its own, see the log";
    }
    return signs.storeDownFor() == null ? "" : "no database for " + signs.storeDownFor();
  }

  private static String flaw(Overview seen) {
    if (!seen.ids().isEmpty()) {
      return seen.ids();
    }
    if (!seen.down().isEmpty()) {
      return "broker down for topics " + new TreeSet<>(seen.down().keySet());
    }
    if (seen.stuckThreads() > 0) {
      return seen.stuckThreads() + " threads stuck in the publisher";
    }
    if (!seen.carefulLanes().isEmpty()) {
      return "careful with lanes " + new TreeSet<>(seen.carefulLanes());
    }
    Duration unpurged = seen.signs().purgeFailingFor();
    return unpurged == null ? "" : "archive not purged for " + unpurged + ", see the log";
  }
}
