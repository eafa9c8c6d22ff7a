package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.cli.text.Terminal;
import dev.outbox.servers.Database;
import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine.Help.Ansi;

/** The console, started by the command line. */
@Timeout(60)
class ConsoleCommandTest {
  private Shop shop;

  @BeforeEach
  void open() {
    shop = new Shop(Database.H2);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void it_says_its_address_and_listens_until_it_is_stopped() throws Exception {
    PipedReader said = new PipedReader(4096);
    PrintWriter out = new PrintWriter(new PipedWriter(said), true);
    StringWriter err = new StringWriter();
    Terminal terminal = new Terminal(out, new PrintWriter(err), shop.variables(), Ansi.OFF, null);
    AtomicInteger exit = new AtomicInteger(-1);
    Thread call = new Thread(() -> exit.set(Main.run(terminal, "console")));
    call.start();
    URI url = URI.create(new BufferedReader(said).readLine().replace("Open ", ""));
    assertThat(url.getHost()).isEqualTo("127.0.0.1");
    HttpRequest me =
        HttpRequest.newBuilder(url.resolve("/api/me"))
            .header("Authorization", "Bearer " + url.getFragment().replace("token=", ""))
            .build();
    assertThat(HttpClient.newHttpClient().send(me, BodyHandlers.ofString()).body())
        .contains("\"operate\":false", "\"payloads\":false");
    call.interrupt();
    call.join(TimeUnit.SECONDS.toMillis(30));
    assertThat(exit).hasValue(Exit.STOPPED);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void a_page_is_refused_within_seconds_once_the_database_lets_nobody_in() throws Exception {
    shop.run("CREATE USER anna PASSWORD 'right' ADMIN");
    Map<String, String> anna =
        Map.of("OUTBOX_URL", shop.sandbox.url(), "OUTBOX_USER", "anna", "OUTBOX_PASSWORD", "right");
    PipedReader said = new PipedReader(4096);
    PrintWriter out = new PrintWriter(new PipedWriter(said), true);
    Terminal terminal =
        new Terminal(out, new PrintWriter(new StringWriter()), anna, Ansi.OFF, null);
    Thread call = new Thread(() -> Main.run(terminal, "console"));
    call.start();
    URI url = URI.create(new BufferedReader(said).readLine().replace("Open ", ""));
    assertThat(lanes(url).statusCode()).isEqualTo(200);
    shop.run("DROP USER anna");
    shop.sandbox.terminateSessions();
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(600)); // the pool trusts what was just used
    long began = System.nanoTime();
    assertThat(lanes(url).statusCode()).isEqualTo(503);
    assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(9));
    call.interrupt();
    call.join(TimeUnit.SECONDS.toMillis(30));
  }

  @Test
  void behind_a_proxy_it_says_the_address_of_the_proxy() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    PipedReader said = new PipedReader(4096);
    PrintWriter out = new PrintWriter(new PipedWriter(said), true);
    Terminal terminal =
        new Terminal(out, new PrintWriter(new StringWriter()), shop.variables(), Ansi.OFF, null);
    String ops = "https://ops.example.org";
    String[] call = {"console", "--public-origin", ops, "--port", Integer.toString(port)};
    Thread console = new Thread(() -> Main.run(terminal, call));
    console.start();
    String opened = new BufferedReader(said).readLine();
    assertThat(opened).startsWith("Open " + ops + "/#token=");
    HttpRequest login =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/login"))
            .header("Origin", ops)
            .header("Content-Type", "application/json")
            .header("X-Outbox-Console", "1")
            .POST(
                BodyPublishers.ofString(
                    "{\"token\":\"" + opened.replaceFirst(".*#token=", "") + "\"}"))
            .build();
    assertThat(HttpClient.newHttpClient().send(login, BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
    console.interrupt();
    console.join(TimeUnit.SECONDS.toMillis(30));
  }

  @Test
  void a_wrong_origin_or_one_without_a_port_is_refused() {
    Called wrong = shop.call("console", "--public-origin", "ops.example.org", "--port", "8383");
    assertThat(wrong.exit()).isEqualTo(Exit.USAGE);
    assertThat(wrong.err()).contains("--public-origin is ops.example.org, it must be");
    Called portless = shop.call("console", "--public-origin", "https://ops.example.org");
    assertThat(portless.exit()).isEqualTo(Exit.USAGE);
    assertThat(portless.err()).contains("--public-origin needs --port, which the proxy knows");
  }

  private static HttpResponse<String> lanes(URI url) throws Exception {
    HttpRequest lanes =
        HttpRequest.newBuilder(url.resolve("/api/lanes"))
            .header("Authorization", "Bearer " + url.getFragment().replace("token=", ""))
            .build();
    return HttpClient.newHttpClient().send(lanes, BodyHandlers.ofString());
  }

  @Test
  void a_wrong_or_taken_port_and_an_unknown_address_are_refused() throws Exception {
    assertThat(shop.call("console", "--port", "70000").err())
        .contains("--port is 70000, it must be 0 to 65535");
    assertThat(shop.call("console", "--bind", "no.such.host.invalid").err())
        .contains("no address has that name");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Called called = shop.call("console", "--port", Integer.toString(taken.getLocalPort()));
      assertThat(called.exit()).isEqualTo(Exit.USAGE);
      assertThat(called.err()).contains("choose another port");
    }
  }
}
