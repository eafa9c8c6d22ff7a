package dev.outbox;

import dev.outbox.message.Message;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.TopicSetting;
import dev.outbox.store.TopicStore;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The door for operators to single topics: pauses them, limits them and makes them strict while
 * relays run. What is set is kept in the tables: every relay of the store heeds it, also after a
 * restart, and sees a change within seconds.
 *
 * <p>Safe for use by many threads. Each method changes one thing, leaves the rest, and returns what
 * is set now. Limits are those of one relay, with claims by rows of all its workers together, so
 * that two relays publish twice as much.
 */
public final class Topics {
  private final TopicStore topics;
  private final OutboxStore store;

  private Topics(OutboxStore store) {
    this.store = store;
    this.topics = store.topics();
  }

  public static Topics of(OutboxStore store) {
    return new Topics(store);
  }

  /** Publishes nothing of the topic until it is resumed; the others go on. */
  public TopicSetting pause(String topic) {
    return change(topic, setting -> setting.withPaused(true));
  }

  /** Publishes what waited while the topic was paused, each key in its order. */
  public TopicSetting resume(String topic) {
    return change(topic, setting -> setting.withPaused(false));
  }

  /**
   * Publishes at most so many messages of the topic in a second, by each relay.
   *
   * @throws IllegalArgumentException when the limit is below 1
   */
  public TopicSetting limit(String topic, int perSecond) {
    return change(topic, setting -> setting.withPerSecond(perSecond));
  }

  /**
   * Has at most so many messages of the topic in flight, by each relay.
   *
   * @throws IllegalArgumentException when the cap is below 1
   */
  public TopicSetting cap(String topic, int inFlight) {
    return change(topic, setting -> setting.withInFlight(inFlight));
  }

  /** Takes the topic's limit and cap away; a pause stays. */
  public TopicSetting unlimited(String topic) {
    return change(topic, setting -> setting.withPerSecond(null).withInFlight(null));
  }

  /**
   * Whether a dead letter of the topic keeps its key held until it is replayed or discarded. It
   * goes for messages that die from now on.
   */
  public TopicSetting strict(String topic, boolean strict) {
    return change(topic, setting -> setting.withStrict(strict));
  }

  /** The topics for which something is set. */
  public Map<String, TopicSetting> settings() {
    return topics.all();
  }

  private TopicSetting change(String topic, UnaryOperator<TopicSetting> change) {
    TopicSetting setting = topics.change(checked(topic), change);
    store.wakeup().wake(Set.of());
    return setting;
  }

  /**
   * The topic, if a message could have it.
   *
   * @throws IllegalArgumentException when no message could have it
   */
  static String checked(String topic) {
    return Message.to(topic).text("").topic();
  }
}
