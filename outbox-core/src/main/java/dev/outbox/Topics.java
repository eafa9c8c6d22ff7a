package dev.outbox;

import static java.util.stream.Collectors.joining;

import dev.outbox.internal.text.ShortText;
import dev.outbox.message.Message;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.TopicStore;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Operates single topics: pauses them, limits them and makes them strict while relays run. Settings
 * are kept in the tables: every relay of the store follows them, also after a restart, and sees a
 * change within seconds.
 *
 * <p>Safe for use by many threads. Each method changes one thing, leaves the rest, and returns what
 * is set now. Limits are those of one relay, with claims by rows of all its workers together, so
 * that two relays publish twice as much. A change of a topic that may be misspelt is logged: see
 * {@link #spellingDoubt}.
 *
 * <pre>{@code
 * Topics topics = Topics.create(store);
 * topics.pause("orders.placed");
 * topics.resume("orders.placed");
 * topics.limit("mails", 100); // messages in a second
 * topics.cap("mails", 10); // messages in flight
 * topics.unlimited("mails");
 * topics.strict("payments", true); // a dead letter holds its key
 * Map<String, Topics.Setting> settings = topics.settings();
 * topics.spellingDoubt("order.placed").ifPresent(System.out::println);
 *
 * // your own store
 * Topics.Setting setting =
 *     Topics.Setting.NONE.withPaused(true).withStrict(true).withPerSecond(100).withInFlight(10);
 * }</pre>
 */
public final class Topics {
  private static final Logger log = LoggerFactory.getLogger(Topics.class);
  private static final int BOUND = 10_000;
  private static final int MOST_NAMES = 20;

  private final TopicStore topics;
  private final OutboxStore store;

  private Topics(OutboxStore store) {
    this.store = store;
    this.topics = store.topics();
  }

  public static Topics create(OutboxStore store) {
    return new Topics(store);
  }

  /** Publishes nothing of the topic until it is resumed; the others go on. */
  public Setting pause(String topic) {
    return change(topic, setting -> setting.withPaused(true));
  }

  /** Publishes what waited while the topic was paused, each key in its order. */
  public Setting resume(String topic) {
    return change(topic, setting -> setting.withPaused(false));
  }

  /**
   * Publishes at most that many messages of the topic in a second, by each relay.
   *
   * @throws IllegalArgumentException when the limit is below 1
   */
  public Setting limit(String topic, int perSecond) {
    return change(topic, setting -> setting.withPerSecond(perSecond));
  }

  /**
   * Has at most that many messages of the topic in flight, by each relay.
   *
   * @throws IllegalArgumentException when the cap is below 1
   */
  public Setting cap(String topic, int inFlight) {
    return change(topic, setting -> setting.withInFlight(inFlight));
  }

  /** Removes the topic's limit and cap; a pause stays. */
  public Setting unlimited(String topic) {
    return change(topic, setting -> setting.withPerSecond(null).withInFlight(null));
  }

  /**
   * Whether a dead letter of the topic keeps its key held until it is replayed or discarded. It
   * goes for messages that die from now on.
   */
  public Setting strict(String topic, boolean strict) {
    return change(topic, setting -> setting.withStrict(strict));
  }

  /** The topics for which something is set. */
  public Map<String, Setting> settings() {
    return topics.all();
  }

  /**
   * Says in one line that the topic may be misspelt, and which topics have messages. Empty when
   * something is set for it, or it has a waiting message or a dead letter; when a table has 10,000
   * messages or more, as not all are looked at; and when the user may not look.
   *
   * @throws IllegalArgumentException when no message could have it
   */
  public Optional<String> spellingDoubt(String topic) {
    return topics.all().containsKey(checked(topic))
        ? Optional.empty()
        : unseen(topic).map(doubt -> "topic " + topic + " " + doubt);
  }

  private Setting change(String topic, UnaryOperator<Setting> change) {
    boolean wasSet = topics.all().containsKey(checked(topic));
    Setting setting = topics.change(topic, change);
    if (!wasSet) {
      unseen(topic).ifPresent(doubt -> log.warn("topic={} {}", topic, doubt));
    }
    store.wakeup().wake(Set.of());
    return setting;
  }

  private Optional<String> unseen(String topic) {
    Snapshot snapshot;
    try {
      snapshot = store.snapshot(BOUND);
    } catch (StoreException e) { // a change does without it; who may not look is told nothing
      log.debug("topic={} could not be looked up among the messages", topic, e);
      return Optional.empty();
    }
    Set<String> present = snapshot.topics().keySet();
    if (present.contains(topic) || !isWhole(snapshot)) {
      return Optional.empty();
    }
    String others =
        present.stream().limit(MOST_NAMES).map(ShortText::oneLine).collect(joining(", "));
    return Optional.of(
        "has no waiting message and no dead letter; check its spelling. There are "
            + (others.isEmpty() ? "no messages" : "messages of " + others));
  }

  /** False when a table may have more messages, and so topics, than were counted. */
  private static boolean isWhole(Snapshot snapshot) {
    return LongStream.of(snapshot.ready(), snapshot.parked(), snapshot.delayed(), snapshot.dead())
        .allMatch(count -> count < BOUND);
  }

  /**
   * The topic, if a message could have it.
   *
   * @throws IllegalArgumentException when no message could have it
   */
  static String checked(String topic) {
    return Message.to(topic).text("").topic();
  }

  /**
   * What is set for a topic at run time.
   *
   * <p>Immutable. {@code perSecond} is the most messages that one relay publishes in a second,
   * {@code inFlight} the most that one relay has in flight at a time; null is no limit.
   */
  public record Setting(
      boolean paused, boolean strict, @Nullable Integer perSecond, @Nullable Integer inFlight) {
    /** Nothing is set. */
    public static final Setting NONE = new Setting(false, false, null, null);

    /**
     * @throws IllegalArgumentException when a limit is below 1
     */
    public Setting {
      requireAtLeastOne("perSecond", perSecond);
      requireAtLeastOne("inFlight", inFlight);
    }

    public Setting withPaused(boolean paused) {
      return new Setting(paused, strict, perSecond, inFlight);
    }

    public Setting withStrict(boolean strict) {
      return new Setting(paused, strict, perSecond, inFlight);
    }

    public Setting withPerSecond(@Nullable Integer perSecond) {
      return new Setting(paused, strict, perSecond, inFlight);
    }

    public Setting withInFlight(@Nullable Integer inFlight) {
      return new Setting(paused, strict, perSecond, inFlight);
    }

    private static void requireAtLeastOne(String name, @Nullable Integer limit) {
      if (limit != null && limit < 1) {
        throw new IllegalArgumentException(
            name + " is " + limit + ", the minimum is 1; pause the topic to stop it");
      }
    }
  }
}
