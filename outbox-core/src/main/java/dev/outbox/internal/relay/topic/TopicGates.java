package dev.outbox.internal.relay.topic;

import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets messages through or holds them, topic by topic: paused topics, those at their limits, and
 * those whose broker is down.
 *
 * <p>Safe for use by many threads: the workers of a relay share one.
 */
public final class TopicGates {
  private static final Duration WHILE_PROBING = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofMillis(50);

  private final Map<String, TopicGate> gates = new HashMap<>();
  private Map<String, Setting> settings = Map.of();
  private Ticker.@Nullable Moment forgot;
  private Ticker.@Nullable Moment looked;
  private long outages;

  /** What is set per topic from now on. */
  public synchronized void set(Map<String, Setting> settings) {
    this.settings = Map.copyOf(settings);
  }

  /** How many topics are kept in mind. */
  synchronized int known() {
    return gates.size();
  }

  public synchronized boolean isStrict(String topic) {
    return setting(topic).strict();
  }

  /** Asks to publish the message; true takes a place in flight. */
  public synchronized boolean admit(Envelope envelope, Ticker.Moment now) {
    forgetNowAndThen(now);
    return gate(envelope.topic()).admit(envelope, setting(envelope.topic()), now);
  }

  /** Topics may be as many as tenants, and come and go. */
  private void forgetNowAndThen(Ticker.Moment now) {
    if (!now.isWithin(TopicGate.MEMORY, forgot)) {
      gates.values().removeIf(gate -> gate.isOver(now));
      forgot = now;
    }
  }

  /** True when nothing of the topic may be published at this moment. */
  public synchronized boolean isHeld(String topic, Ticker.Moment now) {
    return gate(topic).isHeld(setting(topic), now);
  }

  /** A message that was let through was not published. */
  public synchronized void withdrawn(Envelope envelope) {
    gate(envelope.topic()).withdrawn(envelope, setting(envelope.topic()));
  }

  /** The publisher keeps these for longer than it may: their places, and the probe, are free. */
  public synchronized void abandoned(List<Envelope> envelopes) {
    envelopes.forEach(each -> gate(each.topic()).abandoned(each));
  }

  /** Those were given back all the same: now they are answered or withdrawn as any other. */
  public synchronized void returned(List<Envelope> envelopes) {
    envelopes.forEach(each -> gate(each.topic()).returned());
  }

  /** How many sends have ended in an outage. */
  public synchronized long outages() {
    return outages;
  }

  /**
   * A message that was let through when there were that many {@link #outages} was answered at that
   * time. Answers come in the order in which flights land. Returns what the answer counts as: an
   * outage that only this message meets, again and again, is its own failure, with a {@link
   * LoneOutage}.
   */
  public synchronized Ack answered(Envelope envelope, Ack ack, long sent, Ticker.Moment at) {
    if (ack instanceof Ack.NotSent) {
      withdrawn(envelope);
      return ack;
    }
    if (ack instanceof Ack.Unavailable) {
      outages++;
    }
    return gate(envelope.topic()).answered(envelope, ack, sent, outages, at);
  }

  /** True when the topic's broker is down. */
  public synchronized boolean isOpen(String topic) {
    TopicGate gate = gates.get(topic);
    return gate != null && gate.breaker().isOpen();
  }

  /** The topics of which nothing may be published at this moment. */
  public synchronized Set<String> held(Ticker.Moment now) {
    Set<String> held = new TreeSet<>();
    settings.forEach(
        (topic, setting) -> {
          if (gate(topic).isHeld(setting, now)) {
            held.add(topic);
          }
        });
    gates.forEach(
        (topic, gate) -> {
          if (!gate.breaker().lets(now)) {
            held.add(topic);
          }
        });
    return held;
  }

  /**
   * The topics that stay held until an operator or an answer ends it: paused, or without a broker.
   */
  synchronized Set<String> shut() {
    Set<String> shut = new TreeSet<>();
    settings.forEach(
        (topic, setting) -> {
          if (setting.paused()) {
            shut.add(topic);
          }
        });
    gates.forEach(
        (topic, gate) -> {
          if (gate.breaker().isOpen()) {
            shut.add(topic);
          }
        });
    return shut;
  }

  /** The topics that have a cap on what is in flight. */
  synchronized Set<String> capped() {
    Set<String> capped = new TreeSet<>();
    settings.forEach(
        (topic, setting) -> {
          if (setting.inFlight() != null) {
            capped.add(topic);
          }
        });
    return capped;
  }

  /** True when something else than its cap holds the topic. */
  public synchronized boolean isHeldForLong(String topic, Ticker.Moment now) {
    TopicGate gate = gates.get(topic);
    return gate == null ? setting(topic).paused() : gate.isHeldForLong(setting(topic), now);
  }

  /** How much more of the topic may be in flight. */
  synchronized int room(String topic) {
    Integer cap = setting(topic).inFlight();
    TopicGate gate = gates.get(topic);
    return cap == null ? Integer.MAX_VALUE : cap - (gate == null ? 0 : gate.inFlight());
  }

  /**
   * Called after a turn has read everything available. If an open topic had no message for a minute
   * of such turns, its broker is no longer reported as down: its last probe may be a dead letter or
   * discarded, so nothing is left to probe with. Topics that {@code wait} are left out, because
   * they may still have messages. Several workers add their time.
   */
  public synchronized void looked(Ticker.Moment now, Predicate<String> wait) {
    Duration time = looked == null ? Duration.ZERO : now.since(looked);
    if (time.isNegative()) {
      return;
    }
    gates.forEach(
        (topic, gate) -> {
          if (gate.mayBeProbed(now) && !wait.test(topic)) {
            gate.lookedInVain(time);
          }
        });
    looked = now;
  }

  /** True when the broker of every topic met lately is down. */
  synchronized boolean isDown(Ticker.Moment now) {
    boolean down = false;
    for (TopicGate gate : gates.values()) {
      if (gate.wasMetWithin(TopicGate.MEMORY, now) && !gate.breaker().isOpen()) {
        return false;
      }
      down |= gate.isDown();
    }
    return down;
  }

  /** True when a topic whose broker is down may be probed now. */
  synchronized boolean mayProbe(Ticker.Moment now) {
    return gates.values().stream().anyMatch(gate -> gate.mayBeProbed(now));
  }

  /** How many messages may have to be passed over to find the next probe. */
  synchronized int toPassOver(Ticker.Moment now) {
    return gates.values().stream().mapToInt(gate -> gate.toPassOver(now)).sum();
  }

  /** The time until the next topic whose broker is down is to be probed that may not be yet. */
  synchronized Duration untilProbe(Ticker.Moment now) {
    return gates.values().stream()
        .map(gate -> gate.breaker().untilProbe(now))
        .filter(left -> !left.isZero())
        .min(Duration::compareTo)
        .orElse(TopicGate.FAR);
  }

  /** The longest time for which {@link #held} surely stays as it is, unless something lands. */
  synchronized Duration untilChange(Ticker.Moment now) {
    Duration least = TopicGate.FAR;
    for (Map.Entry<String, TopicGate> entry : gates.entrySet()) {
      Breaker breaker = entry.getValue().breaker();
      Duration probe = breaker.isProbing() ? WHILE_PROBING : breaker.untilProbe(now);
      if (!probe.isZero() && probe.compareTo(least) < 0) {
        least = probe;
      }
      if (setting(entry.getKey()).perSecond() != null && SOON.compareTo(least) < 0) {
        least = SOON;
      }
    }
    return least;
  }

  /** The time until the topic may be probed; zero when its broker is not down. */
  public synchronized Duration untilProbe(String topic, Ticker.Moment now) {
    TopicGate gate = gates.get(topic);
    return gate == null ? Duration.ZERO : gate.breaker().untilProbe(now);
  }

  /** The topics whose broker is down, with the time until they are probed. */
  public synchronized Map<String, Duration> open(Ticker.Moment now) {
    return untilProbe(gate -> gate.breaker().isOpen(), now);
  }

  /** As {@link #open}, without those of which no message is left to probe with. */
  public synchronized Map<String, Duration> down(Ticker.Moment now) {
    return untilProbe(TopicGate::isDown, now);
  }

  private Map<String, Duration> untilProbe(Predicate<TopicGate> which, Ticker.Moment now) {
    Map<String, Duration> left = new TreeMap<>();
    gates.forEach(
        (topic, gate) -> {
          if (which.test(gate)) {
            left.put(topic, gate.breaker().untilProbe(now));
          }
        });
    return left;
  }

  private TopicGate gate(String topic) {
    return gates.computeIfAbsent(topic, TopicGate::new);
  }

  private Setting setting(String topic) {
    return settings.getOrDefault(topic, Setting.NONE);
  }
}
