package dev.outbox;

import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.text.ShortText;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LiveRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is in the tables at one moment, by the database's clock: counts that go no further than the
 * bound they were asked with.
 *
 * <p>Immutable. {@code topics} has the same counts by topic, {@code settings} what is set per
 * topic. An age is null when there is nothing to have one; {@code oldestReady} is the time since
 * the oldest ready message was written, {@code oldestDue} since a parked one fell due. With row
 * claims {@code lanes} is empty, because nobody owns lanes.
 *
 * <pre>{@code
 * Snapshot snapshot = relay.snapshot(10_000);
 * Snapshot.Depth orders = snapshot.topics().get("orders.placed");
 * Snapshot.Depth both = orders.plus(snapshot.topics().get("orders.paid"));
 * System.out.println(both.ready() + " wait, " + both.dead() + " are dead letters");
 * System.out.println(snapshot.pausedTopics() + " are paused");
 * // your own store
 * Snapshot.of(Map.of("orders.placed", orders), Map.of(), null, null, List.of(), List.of());
 * }</pre>
 */
public record Snapshot(
    long ready,
    @Nullable Duration oldestReady,
    long parked,
    @Nullable Duration oldestDue,
    long delayed,
    long dead,
    Map<String, Depth> topics,
    Map<String, Setting> settings,
    List<OwnedLane> lanes,
    List<LiveRelay> relays) {
  public Snapshot {
    topics = Collections.unmodifiableMap(new TreeMap<>(topics));
    settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    lanes = List.copyOf(lanes);
    relays = List.copyOf(relays);
  }

  /** A snapshot whose totals are those of its topics. */
  public static Snapshot of(
      Map<String, Depth> topics,
      Map<String, Setting> settings,
      @Nullable Duration oldestReady,
      @Nullable Duration oldestDue,
      List<OwnedLane> lanes,
      List<LiveRelay> relays) {
    Depth all = topics.values().stream().reduce(Depth.NONE, Depth::plus);
    return new Snapshot(
        all.ready(),
        oldestReady,
        all.parked(),
        oldestDue,
        all.delayed(),
        all.dead(),
        topics,
        settings,
        lanes,
        relays);
  }

  /** The topics of which nothing is published until they are resumed. */
  public Set<String> pausedTopics() {
    return settings.entrySet().stream()
        .filter(each -> each.getValue().paused())
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** In one line, with lanes as ranges. */
  @Override
  public String toString() {
    StringJoiner parts = new StringJoiner("; ");
    parts.add(
        new Depth(ready, parked, delayed, dead)
            + (oldestReady == null ? "" : ", oldest ready " + Durations.text(oldestReady))
            + (oldestDue == null ? "" : ", oldest due " + Durations.text(oldestDue)));
    if (!topics.isEmpty()) {
      parts.add("topics " + topics);
    }
    if (!pausedTopics().isEmpty()) {
      parts.add("paused " + pausedTopics());
    }
    lanesByOwner().forEach((owner, of) -> parts.add("lanes " + ShortText.ranges(of) + " " + owner));
    parts.add("relays " + relays.stream().map(LiveRelay::name).toList());
    return parts.toString();
  }

  private Map<String, List<Integer>> lanesByOwner() {
    Map<String, List<Integer>> byOwner = new TreeMap<>();
    for (OwnedLane owned : lanes) {
      String owner = owned.owner() == null ? "free" : "of " + owned.owner();
      byOwner.computeIfAbsent(owner, any -> new ArrayList<>()).add(owned.lane().number());
    }
    return byOwner;
  }

  /** How many messages of a topic there are in each table. */
  public record Depth(long ready, long parked, long delayed, long dead) {
    static final Depth NONE = new Depth(0, 0, 0, 0);

    /** The sum of this and another. */
    public Depth plus(Depth other) {
      return new Depth(
          ready + other.ready, parked + other.parked, delayed + other.delayed, dead + other.dead);
    }

    /** As {@code ready 12, dead 1}: what there is. */
    @Override
    public String toString() {
      Map<String, Long> counts = new LinkedHashMap<>();
      counts.put("ready", ready);
      counts.put("parked", parked);
      counts.put("delayed", delayed);
      counts.put("dead", dead);
      return ShortText.counts(counts);
    }
  }

  /** A lane and who owns it; null when no relay does. */
  public record OwnedLane(Lane lane, @Nullable String owner) {}
}
