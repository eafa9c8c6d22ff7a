package dev.outbox.servers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * The process of {@link HttpReceiver}. What is posted to {@code /in/..} is written down and
 * answered with 204, to {@code /secret/..} only with {@code Authorization: Bearer secret}. {@code
 * /status/422?name=value} answers so, with headers; {@code /close} closes the connection, {@code
 * /hang} never answers, {@code /endless} never ends its answer. All else is not there.
 */
final class HttpReceiverMain {
  static final String FILE = "requests";
  static final String FULL = "full";

  /**
   * How many connections may wait at once; the system keeps the others out for a second or more.
   */
  private static final int BACKLOG = 1000;

  private final Path home;
  private final OutputStream file;

  private HttpReceiverMain(Path home) throws IOException {
    this.home = home;
    this.file =
        Files.newOutputStream(
            home.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  public static void main(String[] words) throws Exception {
    keepIdleConnections();
    HttpReceiverMain receiver = new HttpReceiverMain(Path.of(words[2]));
    Executor threads = Executors.newCachedThreadPool();
    HttpsServer tls = HttpsServer.create(address(words[1]), BACKLOG);
    tls.setHttpsConfigurator(
        new HttpsConfigurator(SelfSigned.ofServer(Path.of(words[2], "pair.p12"))));
    for (HttpServer server :
        new HttpServer[] {tls, HttpServer.create(address(words[0]), BACKLOG)}) {
      server.createContext("/", receiver::take);
      server.setExecutor(threads);
      server.start();
    }
  }

  /** By default the server closes each after 30 seconds, perhaps just when a client uses it. */
  private static void keepIdleConnections() {
    System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
    System.setProperty("sun.net.httpserver.idleInterval", "3600");
  }

  private static InetSocketAddress address(String port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(HttpReceiver.MAX_BODY + 1);
    String[] path = exchange.getRequestURI().getPath().split("/", -1);
    if (Files.exists(home.resolve(FULL))) {
      answer(exchange, 503, "full");
      return;
    }
    switch (path.length < 2 ? "" : path[1]) {
      case "in" -> keep(exchange, body);
      case "secret" -> keepFromFriends(exchange, body);
      case "status" -> answerAsAsked(exchange, Integer.parseInt(path[2]));
      case "close" -> exchange.close();
      case "hang" -> hang();
      case "endless" -> answerWithoutEnd(exchange);
      default -> answer(exchange, 404, "nothing is here");
    }
  }

  private void keepFromFriends(HttpExchange exchange, byte[] body) throws IOException {
    if ("Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      keep(exchange, body);
    } else {
      answer(exchange, 401, "who are you");
    }
  }

  private void keep(HttpExchange exchange, byte[] body) throws IOException {
    if (body.length > HttpReceiver.MAX_BODY) {
      answer(exchange, 413, "too large");
      return;
    }
    StringBuilder line = new StringBuilder(exchange.getRequestURI().getPath());
    line.append(' ').append(Base64.getEncoder().encodeToString(body));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) ->
                line.append(' ')
                    .append(name.toLowerCase(Locale.ROOT))
                    .append(' ')
                    .append(base64(String.join(",", values))));
    byte[] written = line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    synchronized (file) {
      file.write(written);
    }
    exchange.sendResponseHeaders(204, -1);
    exchange.close();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void answerAsAsked(HttpExchange exchange, int status) throws IOException {
    String query = exchange.getRequestURI().getQuery();
    if (query != null) {
      String[] header = query.split("=", 2);
      exchange.getResponseHeaders().set(header[0], header[1]);
    }
    answer(exchange, status, "as\tasked");
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    boolean bodiless = status == 304;
    exchange.sendResponseHeaders(status, bodiless ? -1 : bytes.length);
    if (!bodiless) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  private static void answerWithoutEnd(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    exchange.getResponseBody().write('x');
    exchange.getResponseBody().flush();
    hang();
  }

  private static void hang() throws IOException {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
  }
}
