package dev.outbox.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A receiver of docs/brokers/http.md: what comes with a signature of ours goes to the handler. */
final class WebhookReceiver {
  private WebhookReceiver() {}

  /** Listens on this port. */
  static HttpServer start(int port, String secret, BiConsumer<String, byte[]> handler)
      throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
    server.createContext("/", exchange -> take(exchange, secret, handler));
    server.start();
    return server;
  }

  // tag::receiver[]
  static void take(HttpExchange exchange, String secret, BiConsumer<String, byte[]> handler)
      throws IOException {
    Map<String, String> headers = new HashMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
    byte[] body = exchange.getRequestBody().readAllBytes();
    int status = 401;
    if (isGenuine(secret, headers, body)) {
      handler.accept(headers.get("webhook-id"), body); // once for each id: see consume-once.md
      status = 204;
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  static boolean isGenuine(String secret, Map<String, String> headers, byte[] body) {
    try {
      String timestamp = headers.getOrDefault("webhook-timestamp", "0");
      Instant sent = Instant.ofEpochSecond(Long.parseLong(timestamp));
      if (Duration.between(sent, Instant.now()).abs().compareTo(Duration.ofMinutes(5)) > 0) {
        return false; // an old request that somebody has kept
      }
      Mac mac = Mac.getInstance("HmacSHA256");
      byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update(
          (headers.get("webhook-id") + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
      byte[] expected =
          ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body)))
              .getBytes(StandardCharsets.UTF_8);
      for (String signature : headers.getOrDefault("webhook-signature", "").split(" ", -1)) {
        if (MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.UTF_8))) {
          return true;
        }
      }
      return false;
    } catch (GeneralSecurityException | NumberFormatException | DateTimeException e) {
      return false;
    }
  }
  // end::receiver[]
}
