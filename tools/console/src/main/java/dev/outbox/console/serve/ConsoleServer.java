package dev.outbox.console.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outbox.console.ConsoleRequest;
import dev.outbox.console.ConsoleResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The JDK's HTTP server in front of the console.
 *
 * <p>Safe for use by many threads.
 */
public final class ConsoleServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ConsoleServer.class);
  private static final int MOST_THREADS = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  static {
    // read once by the JDK's server: without it small answers wait 40 ms for an acknowledgement
    if (System.getProperty("sun.net.httpserver.nodelay") == null) {
      System.setProperty("sun.net.httpserver.nodelay", "true");
    }
  }

  private final HttpServer server;
  private final ThreadPoolExecutor threads;
  private final ClientTimeout clientTimeout;
  private final Function<ConsoleRequest, ConsoleResponse> console;

  private ConsoleServer(
      HttpServer server, Duration patience, Function<ConsoleRequest, ConsoleResponse> console) {
    this.server = server;
    this.threads = threads();
    this.clientTimeout = new ClientTimeout(patience, ConsoleServer::daemon);
    this.console = console;
  }

  /** Who finds all of them busy waits for one: the JDK's server forgets whom it cannot hand on. */
  private static ThreadPoolExecutor threads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            MOST_THREADS,
            MOST_THREADS,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            ConsoleServer::daemon);
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "outbox-console");
    thread.setDaemon(true);
    return thread;
  }

  /** Listens at the address; nothing is answered before {@link #start}. */
  public static HttpServer listen(InetSocketAddress address) {
    try {
      return HttpServer.create(address, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the console cannot listen at %s: %s; choose another port"
              .formatted(address, e.getMessage()),
          e);
    }
  }

  public static ConsoleServer start(
      HttpServer listening, Function<ConsoleRequest, ConsoleResponse> console) {
    return start(listening, PATIENCE, console);
  }

  /** A client may take that long to send its request, and to take an answer that is no stream. */
  static ConsoleServer start(
      HttpServer listening, Duration patience, Function<ConsoleRequest, ConsoleResponse> console) {
    ConsoleServer server = new ConsoleServer(listening, patience, console);
    listening.setExecutor(work -> server.threads.execute(() -> server.clientTimeout.with(work)));
    listening.createContext("/", server::handle);
    listening.start();
    return server;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      ConsoleRequest request = request(exchange);
      clientTimeout.pause();
      ConsoleResponse response = console.apply(request);
      if (!response.isStream()) {
        clientTimeout.resume();
      }
      write(exchange, response);
    } catch (IOException e) {
      log.debug("console: a client has gone, or was too slow", e);
    } catch (RuntimeException e) {
      log.error("console: a request failed", e);
    }
  }

  private static void write(HttpExchange exchange, ConsoleResponse response) throws IOException {
    response.headers().forEach(exchange.getResponseHeaders()::set);
    String length = response.headers().getOrDefault("Content-Length", "0");
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    long bytes = response.isStream() ? 0 : Long.parseLong(length);
    exchange.sendResponseHeaders(
        response.status(), isHead || (bytes == 0 && !response.isStream()) ? -1 : bytes);
    if (!isHead) {
      try (OutputStream out = exchange.getResponseBody()) {
        response.body().writeTo(out);
      }
    }
  }

  private static ConsoleRequest request(HttpExchange exchange) throws IOException {
    Map<String, String> headers = new HashMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name, String.join("; ", values)));
    return new ConsoleRequest(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getPath(),
        query(exchange.getRequestURI().getRawQuery()),
        headers,
        new ByteArrayInputStream(exchange.getRequestBody().readNBytes(Routes.LONGEST_BODY + 1)),
        exchange.getRemoteAddress().getAddress().getHostAddress());
  }

  /** The values of a query; of a name that comes twice the last. */
  public static Map<String, String> query(@Nullable String raw) {
    Map<String, String> query = new HashMap<>();
    for (String part : raw == null ? List.<String>of() : List.of(raw.split("&", -1))) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        query.put(decoded(part.substring(0, equals)), decoded(part.substring(equals + 1)));
      }
    }
    return query;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    clientTimeout.close();
  }
}
