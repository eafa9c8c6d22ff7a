package dev.outbox.console.look;

import dev.outbox.Snapshot;
import dev.outbox.Topics.Setting;
import dev.outbox.spi.lane.LiveRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that an operator should know, in a sentence that says what to do.
 *
 * <p>Immutable.
 */
public record Trouble(Level level, String text) {
  private static final Duration LONG = Duration.ofMinutes(1);

  /** How bad it is, worst first. */
  public enum Level {
    /** Messages do not leave. */
    BAD,
    /** Some messages do not leave, or late. */
    WARNING,
    /** Somebody wanted it so. */
    NOTE
  }

  /** What is wrong, worst first; empty when all is well. */
  public static List<Trouble> of(Look look) {
    List<Trouble> found = new ArrayList<>();
    relays(look, found);
    if (!look.snapshot().relays().isEmpty()) {
      ages(look.snapshot(), found); // without a relay it is clear why they wait
    }
    dead(look, found);
    look.settings().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> setting(entry.getKey(), entry.getValue(), look, found));
    found.sort(Comparator.comparing(Trouble::level));
    return List.copyOf(found);
  }

  private static void relays(Look look, List<Trouble> found) {
    Snapshot snapshot = look.snapshot();
    long waiting = look.waiting() + snapshot.delayed();
    if (snapshot.relays().isEmpty()) {
      String wait =
          HumanText.count(waiting, look.bound())
              + (waiting == 1 ? " message waits" : " messages wait");
      found.add(
          new Trouble(
              waiting > 0 ? Level.BAD : Level.WARNING,
              "No relay is running, and %s. Start one; the log of the last one says why it ended."
                  .formatted(wait)));
      return;
    }
    long free = snapshot.lanes().stream().filter(lane -> lane.owner() == null).count();
    if (free > 0 && snapshot.lanes().size() > 1) {
      found.add(
          new Trouble(
              waiting > 0 ? Level.WARNING : Level.NOTE,
              "%d of %d lanes have no owner. Relays take them within a lease (15 s); if not, look into their log."
                  .formatted(free, snapshot.lanes().size())));
    }
    for (LiveRelay relay : snapshot.relays()) {
      if (!relay.sharing()) {
        warn(
            found,
            "Relay %s finds every broker that it publishes to down. Look at the broker."
                .formatted(relay.name()));
      }
    }
  }

  private static void ages(Snapshot snapshot, List<Trouble> found) {
    if (isLong(snapshot.oldestReady())) {
      warn(
          found,
          "The oldest ready message has waited for %s. Relays are too slow, or a transaction is open."
              .formatted(HumanText.age(snapshot.oldestReady())));
    }
    if (isLong(snapshot.oldestDue())) {
      warn(
          found,
          "A retry has been due for %s. No relay owns its lane, or its topic is held."
              .formatted(HumanText.age(snapshot.oldestDue())));
    }
  }

  private static boolean isLong(@Nullable Duration age) {
    return age != null && age.compareTo(LONG) > 0;
  }

  private static void dead(Look look, List<Trouble> found) {
    long dead = look.snapshot().dead();
    if (dead > 0) {
      warn(
          found,
          "%s %s for a decision: replay or discard."
              .formatted(
                  HumanText.count(dead, look.bound()),
                  dead == 1 ? "dead letter waits" : "dead letters wait"));
    }
  }

  private static void setting(String topic, Setting setting, Look look, List<Trouble> found) {
    Snapshot.Depth depth = look.snapshot().topics().get(topic);
    long waiting = depth == null ? 0 : depth.ready() + depth.parked();
    if (setting.paused()) {
      String text = "Topic %s is paused, and %s of it wait.";
      found.add(
          new Trouble(
              Level.NOTE, text.formatted(topic, HumanText.count(waiting, !look.isCounted()))));
    }
  }

  private static void warn(List<Trouble> found, String text) {
    found.add(new Trouble(Level.WARNING, text));
  }
}
