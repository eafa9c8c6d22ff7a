package dev.outbox.internal.relay.base;

import dev.outbox.Claiming;
import dev.outbox.internal.text.ShortText;
import dev.outbox.message.MessageId;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.RetryState;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to the operator what fails: a line for each new kind of failure of a topic and for its
 * first dead letters, then at most one of each a minute, and one when it is over.
 *
 * <p>Safe for use by many threads.
 */
public final class FailureLog {
  private static final Logger log = LoggerFactory.getLogger(FailureLog.class);
  private static final int MOST_TOPICS = 1000;
  private static final String OTHERS = "(others)";
  private static final int FIRST_DEAD_LETTERS = 10;

  private final Map<String, TopicFailures> topics = new HashMap<>();

  /** A message failed and is tried again. */
  public synchronized void failed(String relay, Fate.Park park, Ticker.Moment now) {
    TopicFailures topic = topic(park);
    MessageId id = park.storedEnvelope().envelope().id();
    String line =
        "message=%s %s, next attempt in %s: %s"
            .formatted(
                id,
                isProbe(park)
                    ? "failed as a probe of its broker (no attempt counted)"
                    : "failed in attempt " + park.attempts(),
                park.rest() == null ? "a moment" : Durations.text(park.rest()),
                oneLine(park.error()));
    if (topic.failed(park, kind(park.error()), now)) {
      log.warn("relay={} topic={} {}", relay, oneLine(name(park)), line);
    } else {
      topic.failures.keep(line);
    }
  }

  /** While its broker counts as down, a message that fails has no attempt counted. */
  private static boolean isProbe(Fate.Park park) {
    RetryState before = park.storedEnvelope().retryState();
    return park.attempts() == (before == null ? 0 : before.attempts());
  }

  /** A message became a dead letter. */
  public synchronized void deadLettered(String relay, Fate.Bury bury, Ticker.Moment now) {
    TopicFailures topic = topic(bury);
    MessageId id = bury.storedEnvelope().envelope().id();
    topic.ended(bury.storedEnvelope());
    String line =
        "message=%s became a dead letter (%s) %s: %s"
            .formatted(id, bury.reason(), when(bury.attempts()), oneLine(bury.error()));
    if (topic.deadLettered(now) <= FIRST_DEAD_LETTERS) {
      log.warn("relay={} topic={} {}", relay, oneLine(name(bury)), line);
    } else {
      topic.deadLetters.keep(line);
    }
  }

  private static String when(int attempts) {
    return attempts == 0 ? "before its first attempt" : "in attempt " + attempts;
  }

  /** A message was delivered that may have failed before. */
  public synchronized void delivered(Fate.Deliver deliver) {
    TopicFailures topic = topics.get(place(deliver));
    if (topic != null) {
      topic.ended(deliver.storedEnvelope());
    }
  }

  /**
   * Reports what was kept back, about once a minute for each topic, and which topics have healed.
   */
  public synchronized void turn(String relay, Claiming claiming, Ticker.Moment now) {
    if (topics.isEmpty()) {
      return;
    }
    topics.forEach(
        (name, topic) -> {
          if (topic.isTimeToTell(now)) {
            tellKept(relay, name, topic);
            topic.forgetOverdue(claiming, now);
          }
          tellOver(relay, name, topic, now);
        });
    topics.values().removeIf(topic -> topic.isForgotten(now));
  }

  /** Reports at the end of a relay what was kept back. */
  public synchronized void close(String relay, Ticker.Moment now) {
    topics.forEach(
        (name, topic) -> {
          tellKept(relay, name, topic);
          tellOver(relay, name, topic, now);
        });
  }

  private static void tellKept(String relay, String name, TopicFailures topic) {
    tell(relay, name, topic.failures, "failures");
    tell(relay, name, topic.deadLetters, "dead letters");
  }

  private static void tellOver(String relay, String name, TopicFailures topic, Ticker.Moment now) {
    boolean healed = topic.hasHealed(now);
    int failures = topic.isOver(now) ? topic.over() : 0;
    if (healed) {
      topic.failures.take(); // counted here
      log.info(
          "relay={} topic={} recovered after {} failures: each failed message was delivered or is a dead letter",
          relay,
          oneLine(name),
          failures);
    }
  }

  private static void tell(String relay, String name, KeptLines kept, String what) {
    int count = kept.take();
    if (count > 0) {
      log.warn(
          "relay={} topic={} {} more {}, the last: {}",
          relay,
          oneLine(name),
          count,
          what,
          kept.last());
    }
  }

  /** How many messages of each topic have failed and wait for another attempt. */
  public synchronized Map<String, Integer> failing() {
    Map<String, Integer> failing = new TreeMap<>();
    topics.forEach((name, topic) -> put(failing, name, topic.failing()));
    return failing;
  }

  /** How many messages of each topic became dead letters within the last hour. */
  public synchronized Map<String, Integer> deadLettersOfLastHour(Ticker.Moment now) {
    Map<String, Integer> dead = new TreeMap<>();
    topics.forEach((name, topic) -> put(dead, name, topic.deadWithinAnHour(now)));
    return dead;
  }

  private static void put(Map<String, Integer> counts, String topic, int count) {
    if (count > 0) {
      counts.put(topic, count);
    }
  }

  private TopicFailures topic(Fate fate) {
    return topics.computeIfAbsent(place(fate), any -> new TopicFailures());
  }

  /** With very many topics those that are new share one place until nothing fails there. */
  private String place(Fate fate) {
    String name = name(fate);
    boolean shares = topics.size() >= MOST_TOPICS || topics.containsKey(OTHERS);
    return shares && !topics.containsKey(name) ? OTHERS : name;
  }

  private static String name(Fate fate) {
    return fate.storedEnvelope().envelope().topic();
  }

  /** The class of the failure, which the error begins with. */
  private static String kind(@Nullable String error) {
    return error == null ? "" : error.split(":", 2)[0];
  }

  private static String oneLine(@Nullable String error) {
    return error == null ? "" : ShortText.oneLine(error);
  }
}
