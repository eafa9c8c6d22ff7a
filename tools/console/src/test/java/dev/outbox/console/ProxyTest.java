package dev.outbox.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console behind a proxy on the same machine, which browsers reach at another origin. */
@Timeout(60)
class ProxyTest {
  private static final String OPS = "https://ops.example.org";

  private Shop shop;
  private int port;

  @BeforeEach
  void open() throws Exception {
    shop = new Shop();
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private OutboxConsole console(@Nullable String origin) {
    OutboxConsole.Builder builder = OutboxConsole.builder(shop.store).port(port);
    return origin == null ? builder.start() : builder.publicOrigin(origin).start();
  }

  /** As nginx hands on what a browser sends: the head of the answer. */
  private String login(OutboxConsole console, String host, String origin) throws Exception {
    String body = "{\"token\":\"" + new Browser(console).token() + "\"}";
    String request =
        """
        POST /api/login HTTP/1.1
        Host: %s
        Origin: %s
        Content-Type: application/json
        X-Outbox-Console: 1
        Sec-Fetch-Site: same-origin
        Content-Length: %d
        Connection: close

        %s"""
            .formatted(host, origin, body.length(), body)
            .replace("\n", "\r\n");
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String own() {
    return "127.0.0.1:" + port;
  }

  @Test
  void a_page_at_the_public_origin_logs_in_whatever_host_the_proxy_names() throws Exception {
    try (OutboxConsole console = console(OPS)) {
      assertThat(console.url().toString()).startsWith(OPS + "/#token=");
      for (String host : new String[] {own(), "ops.example.org", "OPS.example.org:443"}) {
        assertThat(login(console, host, OPS))
            .startsWith("HTTP/1.1 200")
            .containsIgnoringCase("Set-Cookie: outbox_console_")
            .contains("HttpOnly; Secure; SameSite=Strict");
      }
    }
  }

  @Test
  void without_the_option_it_is_refused_and_the_cookie_needs_no_tls() throws Exception {
    try (OutboxConsole console = console(null)) {
      assertThat(login(console, own(), OPS)).startsWith("HTTP/1.1 403");
      assertThat(login(console, "ops.example.org", OPS)).startsWith("HTTP/1.1 421");
      assertThat(login(console, own(), "http://" + own()))
          .startsWith("HTTP/1.1 200")
          .doesNotContain("Secure");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example",
        "http://ops.example.org",
        "https://ops.example.org:8443",
        "https://ops.example.org.evil.example",
        "null"
      })
  void a_page_of_another_origin_is_refused(String origin) throws Exception {
    try (OutboxConsole console = console(OPS)) {
      for (String host : new String[] {own(), "ops.example.org"}) {
        assertThat(login(console, host, origin)).startsWith("HTTP/1.1 403");
      }
      assertThat(login(console, "evil.example", OPS)).startsWith("HTTP/1.1 421");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "https://Ops.example.org:443/, https://ops.example.org",
    "http://ops:80, http://ops",
    "https://ops.example.org:80, https://ops.example.org:80",
    "http://[::1]:8080, http://[::1]:8080"
  })
  void an_origin_is_compared_as_browsers_write_it(String given, String written) throws Exception {
    try (OutboxConsole console = console(given)) {
      String answer = login(console, own(), written);
      assertThat(answer).startsWith("HTTP/1.1 200");
      assertThat(answer.contains("; Secure;")).isEqualTo(written.startsWith("https:"));
    }
  }

  @Test
  void mounted_in_an_application_it_takes_changes_from_there_too() throws Exception {
    try (OutboxConsole console =
        OutboxConsole.builder(shop.store)
            .operate()
            .users(any -> "anna")
            .publicOrigin(OPS)
            .mount()) {
      assertThat(pause(console, OPS).status()).isEqualTo(200);
      assertThat(pause(console, "http://127.0.0.1:8080").status()).isEqualTo(403);
    }
  }

  private static ConsoleResponse pause(OutboxConsole console, String origin) {
    String body = "{\"topic\":\"mails\",\"change\":\"pause\"}";
    InputStream sent = new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
    Map<String, String> headers =
        Map.of(
            "Host", "127.0.0.1:8080",
            "Origin", origin,
            "Content-Type", "application/json",
            "X-Outbox-Console", "1");
    return console.answer(
        new ConsoleRequest("POST", "/api/topic", Map.of(), headers, sent, "127.0.0.1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ops.example.org",
        "ftp://ops.example.org",
        "https://",
        "https://me@ops.example.org",
        "https://ops.example.org/outbox",
        "https://ops.example.org?x",
        "https://ops.example.org:port",
        "https://*.example.org",
        "https://a b"
      })
  void what_is_no_origin_is_refused_where_it_is_given(String wrong) {
    OutboxConsole.Builder builder = OutboxConsole.builder(shop.store);
    assertThatThrownBy(() -> builder.publicOrigin(wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "publicOrigin is %s, it must be scheme and host, such as https://ops.example.org",
            wrong);
  }

  @Test
  void a_port_that_no_proxy_knows_is_refused() {
    OutboxConsole.Builder builder = OutboxConsole.builder(shop.store).publicOrigin(OPS);
    assertThatThrownBy(builder::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs a port(..)");
  }
}
