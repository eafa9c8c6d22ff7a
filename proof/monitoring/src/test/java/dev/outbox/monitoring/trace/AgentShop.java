package dev.outbox.monitoring.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outbox.brokers.BrokerKind;
import dev.outbox.brokers.TestBroker;
import dev.outbox.servers.Sandbox;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A shop in a JVM with OpenTelemetry's agent, which writes its spans into the log. */
final class AgentShop implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Path AGENT = Path.of("target/agent/opentelemetry-javaagent.jar");
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<String> KINDS =
      List.of("UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER");

  private final Path log;
  private final Process process;

  AgentShop(BrokerKind kind, TestBroker broker, Sandbox sandbox, boolean observed)
      throws IOException {
    log = Files.createTempFile(Path.of("target"), "agent-", ".log");
    List<String> words = new ArrayList<>();
    words.add(ProcessHandle.current().info().command().orElse("java"));
    words.add("-javaagent:" + AGENT);
    words.add("-Dotel.service.name=shop");
    words.add("-Dotel.traces.exporter=logging-otlp");
    words.add("-Dotel.metrics.exporter=none");
    words.add("-Dotel.logs.exporter=none");
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), ShopMain.class.getName()));
    words.addAll(List.of(kind.name(), broker.address()));
    words.addAll(List.of(sandbox.url(), sandbox.user(), sandbox.password(), "" + observed));
    process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(new File(log.toString()))
            .start();
  }

  int port() throws Exception {
    return Integer.parseInt(awaitLine(ShopMain.PORT).substring(ShopMain.PORT.length()));
  }

  void awaitInvoice(String item) throws Exception {
    awaitLine(ShopMain.INVOICED + item);
  }

  private String awaitLine(String beginning) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (process.isAlive() && System.nanoTime() < end) {
      List<String> found = lines().filter(line -> line.startsWith(beginning)).toList();
      if (!found.isEmpty()) {
        return found.get(0);
      }
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
    throw new AssertionError("no line '" + beginning + "':\n" + Files.readString(log));
  }

  /** Ends it in its own order, and reads what it has exported. */
  List<SeenSpan> spans() throws Exception {
    process.getOutputStream().close();
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end:\n" + Files.readString(log));
    }
    List<SeenSpan> spans = new ArrayList<>();
    for (String line : lines().filter(each -> each.contains("\"scopeSpans\"")).toList()) {
      JsonNode json = MAPPER.readTree(line.substring(line.indexOf('{')));
      json.findValues("spans").forEach(all -> all.forEach(span -> spans.add(seen(span))));
    }
    return spans;
  }

  private Stream<String> lines() throws IOException {
    return Files.readAllLines(log).stream();
  }

  private static SeenSpan seen(JsonNode span) {
    return new SeenSpan(
        span.path("traceId").asText(),
        span.path("spanId").asText(),
        span.path("parentSpanId").asText(),
        KINDS.get(span.path("kind").asInt()),
        span.path("name").asText(),
        span.path("startTimeUnixNano").asLong(),
        span.path("endTimeUnixNano").asLong());
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
