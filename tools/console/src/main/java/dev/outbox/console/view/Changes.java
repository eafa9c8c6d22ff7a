package dev.outbox.console.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters;
import dev.outbox.Topics;
import dev.outbox.Topics.Setting;
import dev.outbox.message.MessageId;
import dev.outbox.spi.OutboxStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What people change: what is asked for by POST. Each change is one line in the log.
 *
 * <p>Safe for use by many threads.
 */
public final class Changes implements AutoCloseable {
  private final Topics topics;
  private final DeadLetters dead;
  private final Jobs jobs;

  public Changes(OutboxStore store) {
    this.topics = Topics.create(store);
    this.dead = DeadLetters.create(store);
    this.jobs = new Jobs(dead);
  }

  /** Does it; null when there is no such change. */
  public @Nullable Object apply(String path, JsonNode asked, String who) {
    return switch (path) {
      case "/api/topic" -> topic(asked, who);
      case "/api/letters" -> letters(asked, who);
      case "/api/jobs" -> begin(asked);
      case "/api/jobs/confirm" -> confirm(asked, who);
      case "/api/jobs/stop" -> stop(asked, who);
      default -> null;
    };
  }

  /** The replays and discards that were confirmed, the newest first. */
  public List<Map<String, Object>> jobs() {
    return jobs.begun();
  }

  /** How far a replay or discard is. */
  public Map<String, Object> job(String id) {
    return jobs.get(id).values();
  }

  private Map<String, @Nullable Object> topic(JsonNode asked, String who) {
    String topic = Views.text(asked, "topic");
    String change = Views.text(asked, "change");
    String number = asked.has("number") ? " " + number(asked) : "";
    Supplier<Setting> set =
        switch (change) {
          case "pause" -> () -> topics.pause(topic);
          case "resume" -> () -> topics.resume(topic);
          case "limit" -> () -> topics.limit(topic, number(asked));
          case "cap" -> () -> topics.cap(topic, number(asked));
          case "unlimited" -> () -> topics.unlimited(topic);
          case "strict" -> () -> topics.strict(topic, true);
          case "loose" -> () -> topics.strict(topic, false);
          default -> throw new AnswerException(400, "There is no such change of a topic.");
        };
    String doubt = topics.spellingDoubt(topic).orElse(null);
    // before the change: its reply may be lost
    Change.log(who, "%s%s topic=%s".formatted(change, number, topic));
    Map<String, @Nullable Object> values = Overview.of(set.get());
    values.put("doubt", doubt);
    return values;
  }

  private static int number(JsonNode asked) {
    if (!asked.path("number").isInt()) {
      throw new AnswerException(400, "number is missing, or no whole number.");
    }
    return asked.get("number").intValue();
  }

  private Map<String, Object> letters(JsonNode asked, String who) {
    List<DeadLetter.Id> letters = new ArrayList<>();
    for (JsonNode each : asked.path("letters")) {
      letters.add(new DeadLetter.Id(each.path("number").asLong(), id(each.path("id").asText())));
    }
    if (letters.isEmpty()) {
      throw new AnswerException(400, "No dead letter is named.");
    }
    Job.Action action = action(asked);
    Change.log(
        who,
        "%s %d dead letters, numbers %s"
            .formatted(
                action == Job.Action.REPLAY ? "replay" : "discard",
                letters.size(),
                letters.stream().map(DeadLetter.Id::number).toList()));
    int changed = action == Job.Action.REPLAY ? dead.replay(letters) : dead.discard(letters);
    return Map.of("changed", changed);
  }

  private static MessageId id(String text) {
    try {
      return MessageId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new AnswerException(400, "The id of a dead letter is no message id.");
    }
  }

  private static Job.Action action(JsonNode asked) {
    return switch (Views.text(asked, "action")) {
      case "replay" -> Job.Action.REPLAY;
      case "discard" -> Job.Action.DISCARD;
      default -> throw new AnswerException(400, "The action is replay or discard.");
    };
  }

  private Map<String, Object> begin(JsonNode asked) {
    Integer pace = asked.path("pace").isInt() ? asked.get("pace").intValue() : null;
    if (pace == null && asked.hasNonNull("pace")) {
      throw new AnswerException(
          400, "pace is no whole number; leave it out to go as fast as it can.");
    }
    return jobs.begin(action(asked), DeadView.filter(asked.path("filter")), pace).values();
  }

  private Map<String, Object> confirm(JsonNode asked, String who) {
    String id = Views.text(asked, "id");
    jobs.confirm(id, asked.path("messages").asLong(-1), who);
    return jobs.get(id).values();
  }

  private Map<String, Object> stop(JsonNode asked, String who) {
    Job job = jobs.get(Views.text(asked, "id"));
    job.stop(who);
    return job.values();
  }

  @Override
  public void close() {
    jobs.close();
  }
}
