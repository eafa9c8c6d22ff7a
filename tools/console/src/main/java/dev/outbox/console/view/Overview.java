package dev.outbox.console.view;

import dev.outbox.RelayStatus;
import dev.outbox.Snapshot;
import dev.outbox.Snapshot.Depth;
import dev.outbox.Topics.Setting;
import dev.outbox.console.look.Look;
import dev.outbox.console.look.Rates;
import dev.outbox.console.look.Trouble;
import dev.outbox.spi.lane.LiveRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the views of a look have in common: numbers, troubles, relays and topics as values. */
public final class Overview {
  private Overview() {}

  /** A sample as values, with relays and topics if it is {@code whole}. */
  static Map<String, @Nullable Object> of(StoreWatch.Sample sample, boolean whole) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("at", sample.at());
    Look look = sample.look();
    if (look == null) {
      values.put("down", true);
      return values;
    }
    numbers(values, look, sample.rates());
    if (whole) {
      values.put("health", health(look));
      values.put("troubles", Trouble.of(look).stream().map(Overview::of).toList());
      values.put("lanes", look.snapshot().lanes().size());
      values.put("relays", look.snapshot().relays().stream().map(LiveRelay::name).toList());
    }
    return values;
  }

  private static void numbers(Map<String, @Nullable Object> values, Look look, Rates rates) {
    Snapshot snapshot = look.snapshot();
    values.put("ready", snapshot.ready());
    values.put("parked", snapshot.parked());
    values.put("delayed", snapshot.delayed());
    values.put("dead", snapshot.dead());
    values.put("bound", look.bound());
    values.put("oldestReady", seconds(snapshot.oldestReady()));
    values.put("oldestDue", seconds(snapshot.oldestDue()));
    values.put("in", rates.in());
    values.put("out", rates.out());
  }

  static @Nullable Double seconds(@Nullable Duration age) {
    return age == null ? null : age.toMillis() / 1000.0;
  }

  private static String health(Look look) {
    return Trouble.of(look).stream()
        .findFirst()
        .map(trouble -> trouble.level().name().toLowerCase(Locale.ROOT))
        .orElse("good");
  }

  private static Map<String, Object> of(Trouble trouble) {
    return Map.of("level", trouble.level().name().toLowerCase(Locale.ROOT), "text", trouble.text());
  }

  /** Relays with what they own, and every lane with its owner. */
  static Map<String, Object> lanes(Look look, long nowMillis) {
    List<Map<String, Object>> relays = new ArrayList<>();
    for (LiveRelay relay : look.snapshot().relays()) {
      relays.add(
          Map.of(
              "name", relay.name(),
              "sharing", relay.sharing(),
              "seconds", Math.max(0, (nowMillis - relay.startedAt().toEpochMilli()) / 1000)));
    }
    List<Map<String, @Nullable Object>> lanes = new ArrayList<>();
    for (Snapshot.OwnedLane lane : look.snapshot().lanes()) {
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      values.put("lane", lane.lane().number());
      values.put("owner", lane.owner());
      lanes.add(values);
    }
    return Map.of("relays", relays, "lanes", lanes);
  }

  /** Topics with what waits, what is set, and what the relays of this process know of brokers. */
  static List<Map<String, @Nullable Object>> topics(Look look, List<RelayStatus> relays) {
    TreeSet<String> names = new TreeSet<>(look.snapshot().topics().keySet());
    names.addAll(look.settings().keySet());
    List<Map<String, @Nullable Object>> topics = new ArrayList<>();
    for (String name : names) {
      Depth depth = look.snapshot().topics().getOrDefault(name, new Depth(0, 0, 0, 0));
      Setting setting = look.settings().getOrDefault(name, Setting.NONE);
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      values.put("topic", name);
      values.put("ready", depth.ready());
      values.put("parked", depth.parked());
      values.put("delayed", depth.delayed());
      values.put("dead", depth.dead());
      values.put("setting", of(setting));
      values.put("nextProbe", nextProbe(name, relays));
      topics.add(values);
    }
    return topics;
  }

  static Map<String, @Nullable Object> of(Setting setting) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("paused", setting.paused());
    values.put("strict", setting.strict());
    values.put("perSecond", setting.perSecond());
    values.put("inFlight", setting.inFlight());
    return values;
  }

  /** Seconds until a broker that is down is tried again; null while it is up, or nobody knows. */
  private static @Nullable Double nextProbe(String topic, List<RelayStatus> relays) {
    for (RelayStatus relay : relays) {
      Duration next = relay.brokersDown().get(topic);
      if (next != null) {
        return seconds(next);
      }
    }
    return null;
  }
}
