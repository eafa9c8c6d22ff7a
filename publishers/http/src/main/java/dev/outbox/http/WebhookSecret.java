package dev.outbox.http;

import dev.outbox.message.Envelope;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A secret of Standard Webhooks, and the signatures by it.
 *
 * <p>Immutable. Never shown.
 */
final class WebhookSecret {
  private static final String PREFIX = "whsec_";
  private static final String ALGORITHM = "HmacSHA256";
  private static final String NONE = "there is no webhook secret; give one or more";
  private static final int LEAST = 24;
  private static final int MOST = 64;

  private final SecretKeySpec key;

  private WebhookSecret(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /**
   * @throws IllegalArgumentException when there is none, or one is no secret of 24 to 64 bytes
   */
  static List<WebhookSecret> all(@Nullable List<String> secrets) {
    if (secrets == null || areNone(secrets)) {
      throw new IllegalArgumentException(NONE);
    }
    return secrets.stream().map(WebhookSecret::of).toList();
  }

  /**
   * Those that {@code secrets} gives for a message.
   *
   * @throws HttpErrors.Refused when there is none
   * @throws HttpErrors.NotNow when it throws, or one is no secret of 24 to 64 bytes
   */
  static List<WebhookSecret> all(Envelope envelope, Function<Envelope, List<String>> secrets) {
    return HttpErrors.asked(
        "secret for a message of topic " + envelope.topic(),
        () -> {
          List<String> given = secrets.apply(envelope);
          if (given == null || areNone(given)) {
            throw new HttpErrors.Refused(NONE);
          }
          return all(given);
        });
  }

  private static boolean areNone(List<String> secrets) {
    return secrets.isEmpty() || secrets.stream().anyMatch(Objects::isNull);
  }

  private static WebhookSecret of(String secret) {
    String base64 = secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret;
    byte[] key = decoded(base64);
    if (key.length < LEAST || key.length > MOST) {
      throw new IllegalArgumentException(
          "a webhook secret has %d bytes, Standard Webhooks takes %d to %d; make one of 32 random bytes"
              .formatted(key.length, LEAST, MOST));
    }
    return new WebhookSecret(key);
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) { // its message would show a part of the secret
      throw new IllegalArgumentException(
          "a webhook secret is no Base64; it is 'whsec_' and the Base64 of 24 to 64 random bytes");
    }
  }

  /** The header {@code webhook-signature}: one signature for each secret. */
  static String signatures(List<WebhookSecret> secrets, String id, long timestamp, byte[] body) {
    byte[] before = (id + "." + timestamp + ".").getBytes(StandardCharsets.US_ASCII);
    return secrets.stream()
        .map(secret -> "v1," + secret.signature(before, body))
        .collect(Collectors.joining(" "));
  }

  private String signature(byte[] before, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(before);
      return Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "WebhookSecret";
  }
}
