package dev.outbox.boot;

import dev.outbox.servers.Sandbox;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code examples/spring-boot} in its own process, as its jar was built. Thread-safe. */
final class Shop implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Path log;
  private final Process process;
  private volatile int port;

  private Shop(Path log, Process process) {
    this.log = log;
    this.process = process;
  }

  /** Starts it and waits until it takes requests. */
  static Shop start(Path jar, Sandbox database, Map<String, String> environment)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(ProcessHandle.current().info().command().orElse("java"));
    words.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    words.addAll(List.of("-jar", jar.toString(), "--server.port=0"));
    Path log = Files.createTempFile(Path.of("target"), "shop-", ".log");
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("DATABASE_URL", database.url());
    builder.environment().put("DATABASE_USER", database.user());
    builder.environment().put("DATABASE_PASSWORD", database.password());
    builder.environment().putAll(environment);
    Shop shop = new Shop(log, builder.redirectOutput(new File(log.toString())).start());
    shop.awaitStart();
    return shop;
  }

  private void awaitStart() throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!log().contains("Started ShopApplication")) {
      if (!process.isAlive() || System.nanoTime() > end) {
        process.destroyForcibly();
        throw new IllegalStateException("the shop does not start:\n" + log());
      }
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
    String started = log().replaceAll("(?s).*Tomcat started on port (\\d+).*", "$1");
    port = Integer.parseInt(started);
  }

  /** Places an order, and returns the status of the answer; 0 when there is none. */
  int place(String id, int cents) throws InterruptedException {
    URI uri = URI.create("http://127.0.0.1:%d/orders/%s?cents=%d".formatted(port, id, cents));
    HttpRequest request =
        HttpRequest.newBuilder(uri).PUT(HttpRequest.BodyPublishers.noBody()).build();
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException gone) {
      return 0;
    }
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  /** Ends it by SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Ends it by SIGTERM, and returns its exit code. */
  int terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("the shop does not end by SIGTERM");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
