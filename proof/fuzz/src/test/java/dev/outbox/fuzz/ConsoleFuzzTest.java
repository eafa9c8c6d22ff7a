package dev.outbox.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outbox.Outbox;
import dev.outbox.console.ConsoleRequest;
import dev.outbox.console.ConsoleResponse;
import dev.outbox.console.OutboxConsole;
import dev.outbox.console.serve.ConsoleServer;
import dev.outbox.message.Message;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.ManualRelay;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

/** Whatever is asked of the console, it answers, without a defect and without what is not its. */
class ConsoleFuzzTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String[] PATHS = {
    "/api/me",
    "/api/lanes",
    "/api/topics",
    "/api/held",
    "/api/dead",
    "/api/letter",
    "/api/doctor",
    "/api/schema",
    "/api/job",
    "/api/login",
    "/api/topic",
    "/api/letters",
    "/api/jobs",
    "/api/jobs/confirm",
    "/api/jobs/stop",
    "/",
    "/app.js"
  };
  private static final String[] HEADERS = {
    "X-User", "X-Outbox-Console", "Content-Type", "Origin", "Host", "Sec-Fetch-Site", "Cookie"
  };
  private static final String[] ASKED = {
    "number", "after", "older", "topic", "key", "reason", "error", "role", "id"
  };
  private static final int SAME_STORE = 2_000;

  private static int asked;
  private static OutboxConsole console = open();

  @AfterAll
  static void close() {
    console.close();
  }

  @DictionaryEntries({
    "mails",
    "REJECTED",
    "writer",
    "{\"topic\":\"mails\",\"change\":\"limit\",\"number\":1}",
    "{\"letters\":[{\"number\":1,\"id\":\"",
    "{\"action\":\"replay\",\"filter\":{\"older\":\"1\"},\"pace\":0}",
    "http://localhost",
    "same-origin"
  })
  @FuzzTest
  void every_request_gets_an_answer(FuzzedDataProvider data) throws IOException {
    if (++asked % SAME_STORE == 0) {
      console.close();
      console = open();
    }
    boolean isPost = data.consumeBoolean();
    String path = data.consumeBoolean() ? data.pickValue(PATHS) : data.consumeString(30);
    Map<String, String> headers = new HashMap<>();
    if (data.consumeBoolean()) {
      headers.putAll(
          Map.of("X-User", "ann", "X-Outbox-Console", "1", "Content-Type", "application/json"));
    } else {
      for (int i = data.consumeInt(0, 4); i > 0; i--) {
        headers.put(data.pickValue(HEADERS), data.consumeString(20));
      }
    }
    StringBuilder query = new StringBuilder();
    for (int i = data.consumeInt(0, 2); i > 0; i--) {
      String value =
          data.consumeBoolean() ? Long.toString(data.consumeLong()) : data.consumeString(20);
      query.append(data.pickValue(ASKED)).append('=').append(value).append('&');
    }
    query.append(data.consumeString(40));
    byte[] body = data.consumeRemainingAsBytes();
    ConsoleRequest request =
        new ConsoleRequest(
            isPost ? "POST" : "GET",
            path,
            ConsoleServer.query(query.toString()),
            headers,
            new ByteArrayInputStream(body),
            "127.0.0.1");
    check(request, console.answer(request));
  }

  private static void check(ConsoleRequest request, ConsoleResponse response) throws IOException {
    assertThat(response.status()).isIn(200, 400, 401, 403, 404, 405, 409, 413, 429);
    assertThat(response.headers()).containsKeys("Content-Security-Policy", "Content-Type");
    if (response.isStream()) {
      return;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    response.body().writeTo(out);
    boolean isChange = request.method().equals("POST") && response.status() == 200;
    if (isChange) {
      assertThat(request.header("X-Outbox-Console")).isNotNull();
    }
    if (request.path().startsWith("/api/")) {
      assertThat(JSON.readTree(out.toByteArray())).isNotNull();
      assertThat(response.status() != 200 || request.header("X-User") != null).isTrue();
    }
    assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("Exception");
  }

  private static OutboxConsole open() {
    InMemoryStore store = InMemoryStore.create();
    try (Connection connection = store.begin()) {
      Message dead = Message.to("mails").key("a").json("{}");
      Outbox.create(store).enqueue(connection, List.of(dead, dead, dead));
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    InMemoryBroker broker = InMemoryBroker.create();
    broker.rejectIf(envelope -> true, "no");
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
    return OutboxConsole.builder(store)
        .users(request -> request.header("X-User"))
        .operate()
        .mount();
  }
}
