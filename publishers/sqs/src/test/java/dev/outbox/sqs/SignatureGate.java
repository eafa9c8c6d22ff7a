package dev.outbox.sqs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Stands before a server that checks no signatures, and lets through what is signed as AWS demands
 * it (Signature Version 4) by the user {@code user} with the key {@code secret}. It can answer by
 * itself what AWS answers and ElasticMQ does not.
 */
final class SignatureGate implements AutoCloseable {
  private static final Pattern AUTHORIZATION =
      Pattern.compile(
          "AWS4-HMAC-SHA256 Credential=user/((\\d{8})/([^/]+)/([^/]+)/aws4_request), ?"
              + "SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})");

  private static final InetSocketAddress LOOPBACK =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI queues;
  private final HttpServer server;
  private volatile @Nullable Answer own;

  /** A status of HTTP and what comes with it. */
  record Answer(int status, String json) {
    /** An error as AWS writes it. */
    static Answer error(int status, String code, String text) {
      return new Answer(
          status,
          "{\"__type\":\"com.amazon.coral.service#%s\",\"message\":\"%s\"}".formatted(code, text));
    }
  }

  SignatureGate(int port) throws IOException {
    this(port, HttpServer.create(LOOPBACK, 0));
  }

  private SignatureGate(int port, HttpServer server) {
    this.queues = URI.create("http://127.0.0.1:" + port + "/");
    this.server = server;
    server.createContext("/", this::pass);
    server.start();
  }

  /** One that speaks TLS, and shows the certificate that {@code tls} has. */
  static SignatureGate overTls(int port, SSLContext tls) throws IOException {
    HttpsServer server = HttpsServer.create(LOOPBACK, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return new SignatureGate(port, server);
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Gives this answer to every request, until it is null. */
  void answer(@Nullable Answer answer) {
    own = answer;
  }

  private void pass(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    Answer given = own;
    try {
      if (given != null) {
        answer(exchange, given);
      } else if (isSigned(exchange, body)) {
        HttpResponse<byte[]> answer =
            client.send(request(exchange, body), HttpResponse.BodyHandlers.ofByteArray());
        answer(exchange, answer.statusCode(), answer.body());
      } else {
        answer(exchange, Answer.error(403, "InvalidSignatureException", "not signed by user"));
      }
    } catch (GeneralSecurityException | InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void answer(HttpExchange exchange, Answer answer) throws IOException {
    answer(exchange, answer.status(), answer.json().getBytes(StandardCharsets.UTF_8));
  }

  private HttpRequest request(HttpExchange exchange, byte[] body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(queues).POST(HttpRequest.BodyPublishers.ofByteArray(body));
    for (String name : new String[] {"Content-Type", "X-Amz-Target", "x-amzn-query-mode"}) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    return request.build();
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static boolean isSigned(HttpExchange exchange, byte[] body)
      throws GeneralSecurityException {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    Matcher parts = AUTHORIZATION.matcher(String.valueOf(authorization));
    if (!parts.matches()) {
      return false;
    }
    byte[] key = "AWS4secret".getBytes(StandardCharsets.UTF_8);
    for (String part :
        new String[] {parts.group(2), parts.group(3), parts.group(4), "aws4_request"}) {
      key = hmac(key, part);
    }
    String toSign =
        String.join(
            "\n",
            "AWS4-HMAC-SHA256",
            exchange.getRequestHeaders().getFirst("X-Amz-Date"),
            parts.group(1),
            digest(canonical(exchange, parts.group(5), body).getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(hmac(key, toSign)).equals(parts.group(6));
  }

  private static String canonical(HttpExchange exchange, String signed, byte[] body)
      throws GeneralSecurityException {
    Map<String, String> headers = new TreeMap<>();
    for (String name : signed.split(";", -1)) {
      headers.put(name, exchange.getRequestHeaders().getFirst(name).strip());
    }
    StringBuilder lines = new StringBuilder();
    headers.forEach((name, value) -> lines.append(name).append(':').append(value).append('\n'));
    return String.join(
        "\n",
        exchange.getRequestMethod(),
        exchange.getRequestURI().getPath(),
        "",
        lines,
        signed,
        digest(body));
  }

  private static String digest(byte[] bytes) throws GeneralSecurityException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
