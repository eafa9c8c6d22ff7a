package dev.outbox.monitoring.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Prometheus from the system's package, which collects each second. It ends with the test. */
final class PrometheusServer implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/prometheus");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String SETTINGS =
      """
      global: {scrape_interval: 1s, evaluation_interval: 1s}
      rule_files: ["%s"]
      scrape_configs:
        - job_name: shop
          static_configs: [{targets: ["127.0.0.1:%d"]}]
      """;

  private final int port;
  private final Path log;
  private final Process process;

  /** Collects from this port of the machine, and evaluates these rules. */
  PrometheusServer(Path home, int target, Path rules) throws IOException, InterruptedException {
    port = freePort();
    log = home.resolve("prometheus.log");
    Path settings = home.resolve("prometheus.yml");
    Files.writeString(settings, SETTINGS.formatted(rules.toAbsolutePath(), target));
    process =
        new ProcessBuilder(
                PROGRAM.toString(),
                "--config.file=" + settings,
                "--storage.tsdb.path=" + home.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    awaitReady();
  }

  static boolean isInstalled() {
    return Files.isExecutable(PROGRAM);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitReady() throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!isReady()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new AssertionError("prometheus does not start:\n" + Files.readString(log));
      }
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
  }

  private boolean isReady() throws InterruptedException {
    try {
      return get("/-/ready").statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** The value of an expression now, series by series. */
  JsonNode ask(String expression) throws IOException, InterruptedException {
    return data("/api/v1/query?query=" + encoded(expression)).path("result");
  }

  /** Its values since then, second by second. */
  JsonNode ask(String expression, Instant since) throws IOException, InterruptedException {
    String path = "/api/v1/query_range?query=%s&start=%d&end=%d&step=1";
    return data(path.formatted(
            encoded(expression), since.getEpochSecond(), Instant.now().getEpochSecond()))
        .path("result");
  }

  /** The rules, with their health. */
  List<JsonNode> rules() throws IOException, InterruptedException {
    return List.copyOf(data("/api/v1/rules").findParents("health"));
  }

  private JsonNode data(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = get(path);
    if (answer.statusCode() != 200) {
      throw new AssertionError(path + ": " + answer.body());
    }
    return MAPPER.readTree(answer.body()).path("data");
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:%d%s".formatted(port, path));
    return CLIENT.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private static String encoded(String expression) {
    return URLEncoder.encode(expression, UTF_8);
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
