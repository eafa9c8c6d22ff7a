package dev.outbox.internal.relay.topic;

import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.base.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The gates of the topics, kept up to date with what is set at run time.
 *
 * <p>Used by one thread.
 */
public final class TopicWatch {
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private final Supplier<Map<String, Setting>> settings;
  private final TopicGates gates;
  private final Ticker ticker;
  private Ticker.@Nullable Moment last;

  public TopicWatch(Supplier<Map<String, Setting>> settings, TopicGates gates, Ticker ticker) {
    this.settings = settings;
    this.gates = gates;
    this.ticker = ticker;
  }

  /** Asks what is set, about once a second: called before messages are read. */
  public void refresh() {
    refresh(BETWEEN_LOOKS);
  }

  /** Asks what is set unless it was asked within {@code age}. */
  public void refresh(Duration age) {
    Ticker.Moment now = ticker.now();
    if (!now.isWithin(age, last)) {
      gates.set(settings.get());
      last = now;
    }
  }

  /** The next refresh asks whatever the time. */
  public void hurry() {
    last = null;
  }

  public Set<String> held(Ticker.Moment now) {
    return gates.held(now);
  }

  public Set<String> shut() {
    return gates.shut();
  }

  /** The topics that have a cap and room for less than {@code size} messages. */
  public Set<String> withLessRoom(int size) {
    return gates.capped().stream()
        .filter(topic -> gates.room(topic) < size)
        .collect(Collectors.toSet());
  }

  /** The least room above {@code size} that a topic with a cap has; at most {@code most}. */
  public int roomAbove(int size, int most) {
    return gates.capped().stream()
        .mapToInt(gates::room)
        .filter(room -> room > size && room < most)
        .min()
        .orElse(most);
  }

  public boolean isDown(Ticker.Moment now) {
    return gates.isDown(now);
  }

  public boolean mayProbe(Ticker.Moment now) {
    return gates.mayProbe(now);
  }

  /** How many messages to read so that one of them is the next probe. */
  public int toProbe(Ticker.Moment now) {
    return 1 + gates.toPassOver(now);
  }

  public boolean isHeld(String topic, Ticker.Moment now) {
    return gates.isHeld(topic, now);
  }

  public Duration untilChange(Ticker.Moment now) {
    return gates.untilChange(now);
  }

  public Duration untilProbe(Ticker.Moment now) {
    return gates.untilProbe(now);
  }
}
