package dev.outbox.console.serve;

import dev.outbox.console.ConsoleRequest;
import dev.outbox.console.view.Answer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who asks, and whether a page of another origin made the browser ask.
 *
 * <p>Safe for use by many threads. What changes something must come from this page: a header that
 * no form can send, an origin that is the host's, and no sign of another site from the browser.
 */
final class Guard {
  /** A form of another page cannot send it, and a script of another page may not. */
  static final String OWN_HEADER = "X-Outbox-Console";

  private static final Set<String> READS = Set.of("GET", "HEAD");

  private final @Nullable Token token;
  private final Function<ConsoleRequest, @Nullable String> users;
  private final @Nullable Set<String> hosts;

  /** The console's own token, and the name of the cookie that has it. */
  record Token(String value, String cookie) {}

  /**
   * With a {@code token} who has it is a user; without, {@code users} names them. Only the {@code
   * hosts} are answered, null for all.
   */
  Guard(
      @Nullable Token token,
      Function<ConsoleRequest, @Nullable String> users,
      @Nullable Set<String> hosts) {
    this.token = token;
    this.users = users;
    this.hosts = hosts;
  }

  /** A page elsewhere may have its name resolved to this address. */
  void requireHost(ConsoleRequest request) {
    String host = request.header("Host");
    if (hosts != null && (host == null || !hosts.contains(host.toLowerCase(Locale.ROOT)))) {
      throw new Answer(421, "This console does not answer to that host name.");
    }
  }

  /** The user, in words for the log. */
  String requireUser(ConsoleRequest request) {
    String user = token == null ? users.apply(request) : userWithToken(request, token);
    if (user == null) {
      throw new Answer(
          401,
          token == null
              ? "Nobody is logged in. Log in to the application, then open this page again."
              : "Who are you? Give the token that the console showed at its start.");
    }
    return user;
  }

  private static @Nullable String userWithToken(ConsoleRequest request, Token token) {
    String authorization = request.header("Authorization");
    String bearer =
        authorization != null && authorization.startsWith("Bearer ")
            ? authorization.substring("Bearer ".length())
            : null;
    String given = bearer == null ? cookie(request, token.cookie()) : bearer;
    return given != null && isSame(given, token.value()) ? "token@" + request.from() : null;
  }

  /** True when it is the token; it takes as long whatever was given. */
  boolean isToken(String given) {
    return token != null && isSame(given, token.value());
  }

  private static boolean isSame(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable String cookie(ConsoleRequest request, String name) {
    String cookies = request.header("Cookie");
    if (cookies != null) {
      for (String cookie : cookies.split(";", -1)) {
        String[] parts = cookie.strip().split("=", 2);
        if (parts.length == 2 && parts[0].equals(name)) {
          return parts[1];
        }
      }
    }
    return null;
  }

  /** The browser must not have been made to ask by another page. */
  void requireSameOrigin(ConsoleRequest request) {
    String site = request.header("Sec-Fetch-Site");
    boolean isElsewhere = site != null && !site.equals("same-origin") && !site.equals("none");
    if (isElsewhere || !isOwnOrigin(request)) {
      throw new Answer(403, "This was asked by a page of another origin.");
    }
    if (READS.contains(request.method())) {
      return;
    }
    String type = request.header("Content-Type");
    boolean isJson = type != null && type.toLowerCase(Locale.ROOT).startsWith("application/json");
    if (request.header(OWN_HEADER) == null || !isJson) {
      throw new Answer(403, "This was not asked by the console's own page.");
    }
  }

  private static boolean isOwnOrigin(ConsoleRequest request) {
    String origin = request.header("Origin");
    String host = request.header("Host");
    if (origin == null) {
      return true;
    }
    try {
      return host != null && host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
    } catch (IllegalArgumentException e) {
      return false; // such as "null", or what no browser sends
    }
  }
}
