package dev.outbox.console.serve;

import dev.outbox.console.ConsoleRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The console's token, and the sessions of the browsers that gave it.
 *
 * <p>Safe for use by many threads. A cookie has a session, never the token: a cookie that is stolen
 * is worth nothing as a token, opens nothing after twelve hours, and nothing after a restart.
 */
final class Login {
  static final Duration LONGEST = Duration.ofHours(12);

  private static final int RANDOM_BYTES = 32;
  private static final int MOST_SESSIONS = 100;

  private final String token = random();
  private final String cookie;
  private final boolean isSecure;
  private final LongSupplier nanos;
  private final Map<String, Long> begun = new LinkedHashMap<>();

  /** A secure cookie is sent by TLS only; {@code nanos} is a clock for lengths of time. */
  Login(String cookie, boolean isSecure, LongSupplier nanos) {
    this.cookie = cookie;
    this.isSecure = isSecure;
    this.nanos = nanos;
  }

  private static String random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  String token() {
    return token;
  }

  /** A new session as the value of Set-Cookie; null when that is not the token. */
  @Nullable String begin(String given) {
    if (!isToken(given)) {
      return null;
    }
    String session = random();
    synchronized (this) {
      begun.put(session, nanos.getAsLong());
      Iterator<Long> oldest = begun.values().iterator();
      while (begun.size() > MOST_SESSIONS) {
        oldest.next();
        oldest.remove();
      }
    }
    return "%s=%s; HttpOnly; %sSameSite=Strict; Path=/; Max-Age=%s"
        .formatted(cookie, session, isSecure ? "Secure; " : "", LONGEST.toSeconds());
  }

  /** Who sends the token as a bearer, or a cookie with a session; null for a stranger. */
  @Nullable String user(ConsoleRequest request) {
    String bearer = bearer(request);
    boolean isKnown = bearer == null ? isSession(cookie(request)) : isToken(bearer);
    return isKnown ? "token@" + request.from() : null;
  }

  private static @Nullable String bearer(ConsoleRequest request) {
    String authorization = request.header("Authorization");
    return authorization != null && authorization.startsWith("Bearer ")
        ? authorization.substring("Bearer ".length())
        : null;
  }

  /** It takes as long whatever was given. */
  private boolean isToken(String given) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  private synchronized boolean isSession(@Nullable String session) {
    begun.values().removeIf(at -> nanos.getAsLong() - at >= LONGEST.toNanos());
    return session != null && begun.containsKey(session);
  }

  private @Nullable String cookie(ConsoleRequest request) {
    String cookies = request.header("Cookie");
    if (cookies != null) {
      for (String each : cookies.split(";", -1)) {
        String[] parts = each.strip().split("=", 2);
        if (parts.length == 2 && parts[0].equals(cookie)) {
          return parts[1];
        }
      }
    }
    return null;
  }
}
