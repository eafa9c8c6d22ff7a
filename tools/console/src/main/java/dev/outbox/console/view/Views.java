package dev.outbox.console.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.Messages;
import dev.outbox.Messages.Retrying;
import dev.outbox.OutboxException.Finding;
import dev.outbox.RelayStatus;
import dev.outbox.console.ConsoleRequest;
import dev.outbox.console.look.Look;
import dev.outbox.console.look.Looker;
import dev.outbox.spi.Layout;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The views: what is asked for by GET, as values.
 *
 * <p>Safe for use by many threads.
 */
public final class Views implements AutoCloseable {
  private static final int HELD = 200;
  private static final int DEAD = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final OutboxStore store;
  private final What what;
  private final Looker looker;
  private final Lock turn = new ReentrantLock();
  private final Messages messages;
  private final DeadView dead;

  /** What the builder was told. */
  public record What(
      boolean operate,
      boolean payloads,
      Supplier<List<RelayStatus>> relays,
      @Nullable Supplier<List<String>> differences) {}

  public Views(OutboxStore store, What what) {
    this.store = store;
    this.what = what;
    this.looker = new Looker(store, Looker.BOUND);
    this.messages = Messages.create(store);
    this.dead = new DeadView(DeadLetters.create(store), what.payloads());
  }

  /** The values of a view, or null when there is no such view. */
  public @Nullable Object answer(ConsoleRequest request, String who) {
    return switch (request.path()) {
      case "/api/me" -> Map.of("operate", what.operate(), "payloads", what.payloads(), "who", who);
      case "/api/lanes" -> Overview.lanes(look(), now());
      case "/api/topics" -> topics();
      case "/api/held" -> held(request.asked("topic"));
      case "/api/dead" -> page(request);
      case "/api/letter" -> dead.letter(number(request, "number", 0));
      case "/api/doctor" -> doctor(request.asked("role"));
      case "/api/schema" -> schema();
      default -> null;
    };
  }

  private Map<String, Object> topics() {
    Look look = look();
    return Map.of(
        "topics", Overview.topics(look, what.relays().get()),
        "cut",
            Map.of(
                "ready", look.isCut(look.snapshot().ready()),
                "parked", look.isCut(look.snapshot().parked()),
                "delayed", look.isCut(look.snapshot().delayed()),
                "dead", look.isCut(look.snapshot().dead())));
  }

  /** One at a time; a request behind one that hangs does not wait with it. */
  private Look look() {
    requireTurn();
    try {
      return looker.look();
    } finally {
      turn.unlock();
    }
  }

  private void requireTurn() {
    try {
      if (!turn.tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new AnswerException(
            503, "The database has not answered for %d s.".formatted(PATIENCE.toSeconds()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AnswerException(503, "The console ends.");
    }
  }

  private static long number(ConsoleRequest request, String name, long otherwise) {
    String text = request.asked(name);
    return text == null ? otherwise : DeadView.number(name, text);
  }

  /** Ages are by this clock: a browser's may differ from it. */
  private long now() {
    return store.now().toEpochMilli();
  }

  private Map<String, Object> held(@Nullable String topic) {
    List<Retrying> held = topic == null ? messages.retrying(HELD) : messages.retrying(topic, HELD);
    List<Map<String, @Nullable Object>> values = new ArrayList<>();
    for (Retrying each : held) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("id", each.id().toString());
      row.put("topic", each.topic());
      row.put("key", each.key() == null ? null : each.key().value());
      row.put("attempts", each.attempts());
      row.put("nextTry", each.nextTry().toEpochMilli());
      row.put("error", each.error());
      values.add(row);
    }
    return Map.of("held", values, "now", now());
  }

  private Map<String, Object> page(ConsoleRequest request) {
    Filter filter = DeadView.filter(request::asked);
    long after = number(request, "after", 0);
    List<Map<String, @Nullable Object>> rows = dead.page(filter, after, DEAD);
    boolean isAll = after == 0 && rows.size() < DEAD;
    return Map.of(
        "now",
        now(),
        "letters",
        rows,
        "more",
        rows.size() == DEAD,
        "count",
        isAll ? rows.size() : dead.count(filter, Looker.BOUND),
        "bound",
        Looker.BOUND,
        "last",
        isAll ? 0 : store.deadLetters().last());
  }

  private Map<String, Object> doctor(@Nullable String role) {
    Usage.Role asked =
        switch (Objects.requireNonNullElse(role, "operator")) {
          case "writer" -> Usage.Role.WRITER;
          case "relay" -> Usage.Role.RELAY;
          case "operator" -> Usage.Role.OPERATOR;
          default -> throw new AnswerException(400, "The role is writer, relay or operator.");
        };
    List<Finding> findings =
        store.examine(new Usage(asked, store.layout().claiming(), 1, Duration.ofSeconds(15)));
    return Map.of(
        "role",
        asked.name().toLowerCase(Locale.ROOT),
        "findings",
        findings.stream().map(Views::values).toList());
  }

  private static Map<String, String> values(Finding finding) {
    return Map.of(
        "severity", finding.severity().name().toLowerCase(Locale.ROOT),
        "code", finding.code(),
        "text", finding.text());
  }

  private Map<String, @Nullable Object> schema() {
    Layout layout = store.layout();
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("version", layout.schemaVersion());
    values.put("claiming", layout.claiming().name().toLowerCase(Locale.ROOT));
    values.put("lanes", layout.lanes());
    values.put("clusters", layout.clusters());
    values.put("cluster", layout.cluster());
    values.put("archive", store.archives());
    Supplier<List<String>> differences = what.differences();
    values.put("differences", differences == null ? null : differences.get());
    return values;
  }

  /** A JSON text, required. */
  static String text(JsonNode json, String name) {
    String text = json.path(name).asText("");
    if (text.isEmpty()) {
      throw new AnswerException(400, name + " is missing.");
    }
    return text;
  }

  @Override
  public void close() {
    looker.close();
  }
}
