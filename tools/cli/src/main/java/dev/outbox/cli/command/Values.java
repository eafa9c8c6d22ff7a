package dev.outbox.cli.command;

import dev.outbox.Snapshot;
import dev.outbox.Snapshot.Depth;
import dev.outbox.Topics.Setting;
import dev.outbox.console.look.Look;
import dev.outbox.console.look.Rates;
import dev.outbox.console.look.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What commands tell, in the names that scripts may rely on. */
final class Values {
  private Values() {}

  static Map<String, @Nullable Object> of(Look look, Rates rates) {
    Snapshot snapshot = look.snapshot();
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("ready", snapshot.ready());
    values.put("oldestReadySeconds", seconds(snapshot.oldestReady()));
    values.put("parked", snapshot.parked());
    values.put("oldestDueSeconds", seconds(snapshot.oldestDue()));
    values.put("delayed", snapshot.delayed());
    values.put("dead", snapshot.dead());
    values.put("countedUpTo", look.bound());
    values.put("inPerSecond", rates.in());
    values.put("outPerSecond", rates.out());
    values.put("relays", snapshot.relays().stream().map(relay -> relay.name()).toList());
    values.put("lanes", snapshot.lanes().size());
    values.put("lanesWithoutOwner", lanesByOwner(snapshot).getOrDefault("", List.of()).size());
    values.put("troubles", Trouble.of(look).stream().map(Values::of).toList());
    return values;
  }

  private static Map<String, String> of(Trouble trouble) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("level", trouble.level().name().toLowerCase(Locale.ROOT));
    values.put("text", trouble.text());
    return values;
  }

  static @Nullable Double seconds(@Nullable Duration age) {
    return age == null ? null : age.toMillis() / 1000.0;
  }

  /** The lanes of each owner; of none under the empty name. */
  static Map<String, List<Integer>> lanesByOwner(Snapshot snapshot) {
    Map<String, List<Integer>> lanes = new TreeMap<>();
    for (Snapshot.OwnedLane owned : snapshot.lanes()) {
      String owner = owned.owner() == null ? "" : owned.owner();
      lanes.computeIfAbsent(owner, any -> new ArrayList<>()).add(owned.lane().number());
    }
    return lanes;
  }

  /** Every topic that has messages or a setting. */
  static Map<String, Topic> topics(Look look) {
    Map<String, Topic> topics = new TreeMap<>();
    TreeSet<String> names = new TreeSet<>(look.snapshot().topics().keySet());
    names.addAll(look.settings().keySet());
    for (String name : names) {
      topics.put(
          name,
          new Topic(
              look.snapshot().topics().getOrDefault(name, new Depth(0, 0, 0, 0)),
              look.settings().getOrDefault(name, Setting.NONE)));
    }
    return topics;
  }

  /** What there is of a topic, and what is set for it. */
  record Topic(Depth depth, Setting setting) {
    Map<String, @Nullable Object> values() {
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      values.put("ready", depth.ready());
      values.put("parked", depth.parked());
      values.put("delayed", depth.delayed());
      values.put("dead", depth.dead());
      values.put("paused", setting.paused());
      values.put("perSecond", setting.perSecond());
      values.put("inFlight", setting.inFlight());
      values.put("strict", setting.strict());
      return values;
    }
  }

  /** As {@code paused, 50/s, 4 in flight, strict}. */
  static String text(Setting setting) {
    List<String> parts = new ArrayList<>();
    if (setting.paused()) {
      parts.add("paused");
    }
    if (setting.perSecond() != null) {
      parts.add(setting.perSecond() + "/s");
    }
    if (setting.inFlight() != null) {
      parts.add(setting.inFlight() + " in flight");
    }
    if (setting.strict()) {
      parts.add("strict");
    }
    return parts.isEmpty() ? "no setting" : String.join(", ", parts);
  }
}
