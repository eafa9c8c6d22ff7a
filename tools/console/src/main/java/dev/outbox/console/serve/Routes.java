package dev.outbox.console.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outbox.StoreException;
import dev.outbox.console.ConsoleRequest;
import dev.outbox.console.ConsoleResponse;
import dev.outbox.console.view.AnswerException;
import dev.outbox.console.view.Changes;
import dev.outbox.console.view.StoreWatch;
import dev.outbox.console.view.Stream;
import dev.outbox.console.view.Views;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From request to response: checks, then the view or the change.
 *
 * <p>Safe for use by many threads. No exception, SQL or stack trace reaches the browser.
 */
public final class Routes {
  static final int LONGEST_BODY = 64 * 1024;

  private static final String REFUSED =
      "The database does not answer or refuses. The log says why.";
  private static final String SLOW = "The database gave up, because it took too long. ";
  private static final List<String> WITHOUT_INDEX = List.of("error", "reason", "older");
  private static final Logger log = LoggerFactory.getLogger(Routes.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Page PAGE = new Page();
  private static final Map<String, String> ALWAYS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src "
              + PAGE.styleSource()
              + "; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
              + " frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  private final Guard guard;
  private final Views views;
  private final @Nullable Changes changes;
  private final StoreWatch sampler;
  private final @Nullable Login login;

  /** Without {@code changes} nothing can be changed; without {@code login} nobody has a token. */
  Routes(
      Guard guard,
      Views views,
      @Nullable Changes changes,
      StoreWatch sampler,
      @Nullable Login login) {
    this.guard = guard;
    this.views = views;
    this.changes = changes;
    this.sampler = sampler;
    this.login = login;
  }

  /** Answers, whatever is asked. */
  public ConsoleResponse answer(ConsoleRequest request) {
    try {
      guard.requireHost(request);
      return request.path().startsWith("/api/") ? api(request) : file(request);
    } catch (AnswerException e) {
      return refused(e);
    } catch (IllegalArgumentException e) {
      return error(400, String.valueOf(e.getMessage()));
    } catch (StoreException e) {
      log.warn("console: {} failed: {}", request.path(), e.getMessage());
      log.debug("console: {} failed", request.path(), e);
      return error(503, e.isSlow() ? SLOW + remedy(request) : REFUSED);
    } catch (IOException | RuntimeException e) {
      log.error("console: {} failed, which is a defect", request.path(), e);
      return error(500, "The console has a defect. The log says which.");
    }
  }

  /** There are indexes of the topic, and of topic and key. */
  private static String remedy(ConsoleRequest slow) {
    if (!slow.path().equals("/api/dead")) {
      return "Try again later.";
    }
    if (slow.asked("topic") == null) {
      return "Narrow a search by topic, or by topic and key.";
    }
    if (slow.asked("key") == null) {
      return "Narrow the search by key too.";
    }
    boolean reads = WITHOUT_INDEX.stream().anyMatch(each -> slow.asked(each) != null);
    return reads ? "Search by topic and key only." : "Try again later.";
  }

  private ConsoleResponse file(ConsoleRequest request) {
    Page.File file = PAGE.at(request.path());
    if (file == null) {
      throw new AnswerException(404, "There is nothing here.");
    }
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      throw new AnswerException(405, "This can only be read.");
    }
    return response(200, file.type(), file.text().getBytes(StandardCharsets.UTF_8), Map.of());
  }

  private ConsoleResponse api(ConsoleRequest request) throws IOException {
    guard.requireSameOrigin(request);
    if (request.path().equals("/api/login") && request.method().equals("POST")) {
      return login(request);
    }
    String who = guard.requireUser(request);
    return switch (request.method()) {
      case "GET" -> read(request, who);
      case "POST" -> json(200, change(request, who), Map.of());
      default -> throw new AnswerException(405, "GET and POST are understood.");
    };
  }

  private ConsoleResponse login(ConsoleRequest request) throws IOException {
    String cookie = login == null ? null : login.begin(body(request).path("token").asText());
    if (cookie == null) {
      throw new AnswerException(401, "That is not the token.");
    }
    return json(200, Map.of(), Map.of("Set-Cookie", cookie));
  }

  private ConsoleResponse read(ConsoleRequest request, String who) throws IOException {
    if (request.path().equals("/api/events")) {
      Stream stream = Stream.of(sampler);
      Map<String, String> headers = new HashMap<>(ALWAYS);
      headers.put("Content-Type", "text/event-stream");
      headers.put("X-Accel-Buffering", "no"); // nginx would keep events until it has some KiB
      return new ConsoleResponse(200, headers, stream::writeTo, true);
    }
    if (request.path().equals("/api/jobs")) {
      return json(200, Map.of("jobs", changes().jobs()), Map.of());
    }
    if (request.path().equals("/api/job")) {
      return json(
          200, changes().job(Objects.requireNonNullElse(request.asked("id"), "")), Map.of());
    }
    Object values = views.answer(request, who);
    if (values == null) {
      throw new AnswerException(404, "There is nothing here.");
    }
    return json(200, values, Map.of());
  }

  private Object change(ConsoleRequest request, String who) throws IOException {
    Object values = changes().apply(request.path(), body(request), who);
    if (values == null) {
      throw new AnswerException(404, "There is nothing here.");
    }
    return values;
  }

  private Changes changes() {
    if (changes == null) {
      throw new AnswerException(403, "This console only shows; it was not started to operate.");
    }
    return changes;
  }

  private static JsonNode body(ConsoleRequest request) throws IOException {
    byte[] bytes = request.body().readNBytes(LONGEST_BODY + 1);
    if (bytes.length > LONGEST_BODY) {
      throw new AnswerException(413, "That is too long.");
    }
    try {
      // as a text: of bytes the parser guesses the encoding
      JsonNode json = JSON.readTree(new String(bytes, StandardCharsets.UTF_8));
      if (json != null && json.isObject()) {
        return json;
      }
    } catch (JsonProcessingException e) {
      log.debug("console: a body is not JSON", e);
    }
    throw new AnswerException(400, "That is no JSON object.");
  }

  /** Where a token opens the console, the page asks for it. */
  private ConsoleResponse refused(AnswerException refusal) {
    boolean asksForToken = refusal.status() == 401 && login != null;
    Map<String, String> also = asksForToken ? Map.of("WWW-Authenticate", "Bearer") : Map.of();
    return error(refusal.status(), String.valueOf(refusal.getMessage()), also);
  }

  private static ConsoleResponse error(int status, String sentence) {
    return error(status, sentence, Map.of());
  }

  private static ConsoleResponse error(int status, String sentence, Map<String, String> also) {
    try {
      return json(status, Map.of("error", sentence), also);
    } catch (IOException e) {
      throw new IllegalStateException("a sentence can be written", e);
    }
  }

  private static ConsoleResponse json(int status, Object values, Map<String, String> also)
      throws IOException {
    return response(status, "application/json", JSON.writeValueAsBytes(values), also);
  }

  private static ConsoleResponse response(
      int status, String type, byte[] bytes, Map<String, String> also) {
    Map<String, String> headers = new HashMap<>(ALWAYS);
    headers.put("Content-Type", type);
    headers.put("Content-Length", Integer.toString(bytes.length));
    headers.putAll(also);
    return new ConsoleResponse(status, headers, out -> out.write(bytes), false);
  }
}
