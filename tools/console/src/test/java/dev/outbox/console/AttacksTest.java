package dev.outbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics;
import dev.outbox.message.Message;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What strangers, other pages and messages may try. */
@Timeout(60)
@Isolated("it listens to the log")
class AttacksTest {
  private static final Map<String, String> PAUSE = Map.of("topic", "mails", "change", "pause");

  private Shop shop;
  private OutboxConsole console;
  private Browser browser;

  @BeforeEach
  void open() {
    shop = new Shop();
    console = OutboxConsole.builder(shop.store).operate().start();
    browser = new Browser(console);
  }

  @AfterEach
  void close() {
    console.close();
    shop.close();
  }

  private void assertNothingChanged() {
    assertThat(Topics.create(shop.store).settings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "api/me",
        "api/events",
        "api/lanes",
        "api/topics",
        "api/held",
        "api/dead",
        "api/letter?number=1",
        "api/doctor",
        "api/schema",
        "api/job?id=1",
        "api/jobs",
        "api/nothing"
      })
  void a_stranger_sees_nothing(String path) throws Exception {
    assertThat(browser.send(browser.request(path)).statusCode()).isEqualTo(401);
    String almost = browser.token().substring(1);
    assertThat(
            browser
                .send(browser.request(path).header("Authorization", "Bearer " + almost))
                .statusCode())
        .isEqualTo(401);
    String inQuery = path + (path.contains("?") ? "&" : "?") + "token=" + browser.token();
    assertThat(browser.send(browser.request(inQuery)).statusCode()).isEqualTo(401);
  }

  @Test
  void a_stranger_changes_nothing() throws Exception {
    HttpRequest.Builder request =
        browser
            .request("api/topic")
            .header("Content-Type", "application/json")
            .header("X-Outbox-Console", "1")
            .POST(BodyPublishers.ofString("{\"topic\":\"mails\",\"change\":\"pause\"}"));
    assertThat(browser.send(request).statusCode()).isEqualTo(401);
    assertThat(browser.post("api/login", Map.of("token", "guess")).statusCode()).isEqualTo(401);
    assertNothingChanged();
  }

  @Test
  void the_token_opens_by_a_cookie_that_no_script_and_no_other_site_gets() throws Exception {
    HttpResponse<String> login = browser.post("api/login", Map.of("token", browser.token()));
    String cookie = login.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie).contains("HttpOnly").contains("SameSite=Strict");
    HttpRequest.Builder request =
        browser.request("api/me").header("Cookie", "other=1; " + cookie.replaceAll(";.*", ""));
    assertThat(browser.send(request).statusCode()).isEqualTo(200);
  }

  @Test
  void a_cookie_that_was_stolen_is_worth_nothing_as_a_token() throws Exception {
    HttpResponse<String> login = browser.post("api/login", Map.of("token", browser.token()));
    String cookie = login.headers().firstValue("Set-Cookie").orElseThrow();
    String session = cookie.replaceAll("^[^=]*=|;.*", "");
    assertThat(session).isNotEqualTo(browser.token());
    HttpRequest.Builder bearer =
        browser.request("api/me").header("Authorization", "Bearer " + session);
    assertThat(browser.send(bearer).statusCode()).isEqualTo(401);
    assertThat(browser.post("api/login", Map.of("token", session)).statusCode()).isEqualTo(401);
    String tokenAsCookie = cookie.replaceAll("=.*", "=" + browser.token());
    assertThat(browser.send(browser.request("api/me").header("Cookie", tokenAsCookie)).statusCode())
        .isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cross-site", "same-site"})
  void a_page_of_another_site_reads_and_changes_nothing(String site) throws Exception {
    assertThat(browser.send(browser.own("api/me").header("Sec-Fetch-Site", site)).statusCode())
        .isEqualTo(403);
    HttpRequest.Builder post = browser.posting("api/topic", PAUSE).header("Sec-Fetch-Site", site);
    assertThat(browser.send(post).statusCode()).isEqualTo(403);
    assertNothingChanged();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://evil.example", "http://localhost:1", "null", "%%", "http://127.0.0.1"})
  void another_origin_is_refused(String origin) throws Exception {
    HttpRequest.Builder post = browser.posting("api/topic", PAUSE).header("Origin", origin);
    assertThat(browser.send(post).statusCode()).isEqualTo(403);
    assertNothingChanged();
  }

  @Test
  void a_change_that_is_refused_is_not_made_without_a_line_in_the_log() throws Exception {
    Map<String, Object> odd = Map.of("topic", "mails", "change", "pause", "number", "many");
    assertThat(browser.send(browser.posting("api/topic", odd)).statusCode()).isEqualTo(400);
    assertNothingChanged();
  }

  @Test
  void the_page_itself_changes_what_it_may() throws Exception {
    String own = browser.place().toString().replaceAll("/$", "");
    HttpRequest.Builder post =
        browser
            .posting("api/topic", PAUSE)
            .header("Origin", own)
            .header("Sec-Fetch-Site", "same-origin");
    assertThat(browser.send(post).statusCode()).isEqualTo(200);
    assertThat(Topics.create(shop.store).settings().get("mails").paused()).isTrue();
  }

  @Test
  void a_body_in_an_encoding_that_a_parser_would_guess_is_refused() throws Exception {
    byte[] noUtf8 = {0, 0, 0, 0x7b, 0, 0x1f, 0, 0, 0x7d};
    HttpRequest.Builder post =
        browser
            .own("api/topic")
            .header("Content-Type", "application/json")
            .header("X-Outbox-Console", "1")
            .POST(BodyPublishers.ofByteArray(noUtf8));
    assertThat(browser.send(post).statusCode()).isEqualTo(400);
    assertNothingChanged();
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775807", "-9223372036854775808", "-1", "100000001"})
  void an_age_that_no_calendar_holds_is_refused(String older) throws Exception {
    assertThat(browser.send(browser.own("api/dead?older=" + older)).statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x"
      })
  void a_form_of_another_page_changes_nothing(String type) throws Exception {
    HttpRequest.Builder form =
        browser
            .own("api/topic")
            .header("Content-Type", type)
            .header("X-Outbox-Console", "1")
            .POST(BodyPublishers.ofString("{\"topic\":\"mails\",\"change\":\"pause\"}"));
    assertThat(browser.send(form).statusCode()).isEqualTo(403);
    HttpRequest.Builder withoutHeader =
        browser
            .own("api/topic")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"topic\":\"mails\",\"change\":\"pause\"}"));
    assertThat(browser.send(withoutHeader).statusCode()).isEqualTo(403);
    assertNothingChanged();
  }

  @Test
  void a_name_that_somebody_points_to_this_machine_is_not_answered() throws Exception {
    for (String host : List.of("evil.example", "evil.example:" + browser.place().getPort(), "")) {
      assertThat(raw("GET /api/me HTTP/1.1\r\nHost: " + host)).startsWith("HTTP/1.1 421");
    }
    for (String own : List.of("localhost:" + browser.place().getPort(), "[::1]", "127.0.0.1:")) {
      assertThat(raw("GET / HTTP/1.1\r\nHost: " + own)).startsWith("HTTP/1.1 200");
    }
    assertThat(raw("GET / HTTP/1.1\r\nHost: localhost:9000"))
        .as("through a tunnel with another port, as of ssh -L")
        .startsWith("HTTP/1.1 200");
  }

  private String raw(String head) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), browser.place().getPort())) {
      String request = head + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/../OutboxConsole.class",
        "/..%2f..%2fOutboxConsole.class",
        "/%2e%2e/page/index.html",
        "/app.js/",
        "/style.css",
        "//etc/passwd",
        "/META-INF/MANIFEST.MF"
      })
  void there_is_no_other_file(String path) throws Exception {
    String host = "localhost:" + browser.place().getPort();
    assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: " + host)).doesNotStartWith("HTTP/1.1 200");
  }

  @Test
  void every_answer_forbids_scripts_and_frames_of_others() throws Exception {
    for (String path : List.of("", "app.js", "icon.svg", "api/me", "api/nothing", "nothing")) {
      HttpResponse<String> response = browser.send(browser.own(path));
      assertThat(response.headers().firstValue("Content-Security-Policy").orElse(""))
          .as(path)
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe", "*", "data:");
      assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
      assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
      assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    }
    assertThat(browser.send(browser.own("")).body())
        .doesNotContain("onclick", "style=", "<script>");
  }

  @Test
  void the_page_is_painted_from_one_answer_and_heeds_no_style_but_its_own() throws Exception {
    HttpResponse<String> page = browser.send(browser.own(""));
    assertThat(page.body()).doesNotContain("stylesheet");
    String style = page.body().replaceAll("(?s).*<style>(.+)</style>.*", "$1");
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("style-src 'sha256-" + Base64.getEncoder().encodeToString(hash) + "';");
  }

  @Test
  void a_console_that_only_shows_changes_nothing() throws Exception {
    shop.die("mails", 2, "no such customer");
    try (OutboxConsole shows = OutboxConsole.builder(shop.store).start()) {
      Browser reader = new Browser(shows);
      assertThat(reader.get("api/me").get("operate").asBoolean()).isFalse();
      Map<String, Object> job = Map.of("action", "discard", "filter", Map.of());
      Map<String, Object> letters =
          Map.of(
              "action",
              "discard",
              "letters",
              List.of(reader.get("api/dead").get("letters").get(0)));
      assertThat(reader.post("api/topic", PAUSE).statusCode()).isEqualTo(403);
      assertThat(reader.post("api/jobs", job).statusCode()).isEqualTo(403);
      assertThat(reader.post("api/jobs/confirm", Map.of("id", "1")).statusCode()).isEqualTo(403);
      assertThat(reader.post("api/letters", letters).body()).contains("This console only shows");
    }
    assertNothingChanged();
    assertThat(shop.dead()).isEqualTo(2);
  }

  @Test
  void payloads_are_shown_only_where_they_may_be() throws Exception {
    shop.die("no such customer", Message.to("mails").key("7").json("{\"iban\":\"DE02\"}"));
    assertThat(browser.get("api/dead").toString()).doesNotContain("iban");
    String number = browser.get("api/dead").get("letters").get(0).get("number").asText();
    assertThat(browser.get("api/letter?number=" + number).toString())
        .contains("\"payload\":null")
        .doesNotContain("iban");
    try (OutboxConsole open = OutboxConsole.builder(shop.store).showPayloads().start()) {
      assertThat(new Browser(open).get("api/letter?number=" + number).get("payload").asText())
          .contains("DE02");
    }
  }

  @Test
  void a_payload_is_shown_as_what_it_is_and_no_longer_than_a_page_can_be() throws Exception {
    byte[] binary = {(byte) 0xff, 0, 0x1b};
    shop.die(
        "no such customer",
        Message.to("binary").bytes(binary),
        Message.to("long").text("x".repeat(300_000)));
    try (OutboxConsole open = OutboxConsole.builder(shop.store).showPayloads().start()) {
      Browser reader = new Browser(open);
      assertThat(reader.letter("binary").get("payload").asText()).isEqualTo("ff 00 1b");
      assertThat(reader.letter("long").get("payload").asText())
          .hasSizeLessThan(201_000)
          .contains("outbox dead show --payload");
    }
  }

  @Test
  void a_list_of_dead_letters_reads_no_payload() throws Exception {
    shop.die("mails", 2, "no such customer");
    shop.execute("ALTER TABLE outbox_dead ALTER COLUMN payload RENAME TO payload_away");
    assertThat(browser.get("api/dead").get("letters")).hasSize(2);
    assertThat(browser.send(browser.own("api/letter?number=1")).statusCode()).isEqualTo(503);
  }

  @Test
  void an_endless_or_broken_body_is_refused() throws Exception {
    Map<String, String> large = Map.of("topic", "x".repeat(70_000), "change", "pause");
    assertThat(browser.post("api/topic", large).statusCode()).isEqualTo(413);
    HttpRequest.Builder broken =
        browser
            .own("api/topic")
            .header("Content-Type", "application/json")
            .header("X-Outbox-Console", "1")
            .POST(BodyPublishers.ofString("{\"topic\":"));
    assertThat(browser.send(broken).statusCode()).isEqualTo(400);
    assertThat(browser.post("api/topic", Map.of("topic", "mails", "change", "drop")).statusCode())
        .isEqualTo(400);
    Map<String, Object> zero = Map.of("topic", "mails", "change", "limit", "number", 0);
    assertThat(browser.post("api/topic", zero).body()).contains("perSecond is 0, the minimum is 1");
    assertNothingChanged();
  }

  @Test
  void a_failure_of_the_database_tells_the_browser_no_sql_and_no_stack() throws Exception {
    shop.execute("ALTER TABLE outbox_dead RENAME TO outbox_hidden");
    HttpResponse<String> response = browser.send(browser.own("api/dead"));
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body())
        .isEqualTo("{\"error\":\"The database does not answer or refuses. The log says why.\"}");
  }

  @Test
  void every_change_is_one_line_in_the_log_whatever_its_names_are() throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      browser.post("api/topic", PAUSE);
      Map<String, String> forged = Map.of("error", "a\nconsole: who=root\u2028\u009b2J");
      browser.post("api/jobs", Map.of("action", "replay", "filter", forged));
      while (browser.get("api/job?id=1").get("state").asText().equals("COUNTING")) {
        Thread.onSpinWait();
      }
      browser.post("api/jobs/confirm", Map.of("id", "1", "messages", 0));
      while (browser.get("api/job?id=1").get("state").asText().equals("RUNNING")) {
        Thread.onSpinWait();
      }
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("who=")))
        .satisfiesExactly(
            line -> assertThat(line).contains("who=token@127.0.0.1 what=pause topic=mails"),
            line ->
                assertThat(line).contains("replay 0 dead letters, error=a?console: who=root??2J"));
  }
}
