package dev.outbox.console.serve;

import dev.outbox.console.ConsoleRequest;
import dev.outbox.console.view.AnswerException;
import java.net.URI;
import java.util.Locale;
import java.util.Objects;
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

  private final Function<ConsoleRequest, @Nullable String> users;
  private final String unknown;
  private final @Nullable Set<String> hosts;
  private final @Nullable PublicOrigin publicOrigin;

  /**
   * Whom {@code users} names is let in, and others are told the sentence {@code unknown}. Only the
   * {@code hosts} are answered, null for all. Behind a proxy the {@code publicOrigin} is the
   * page's, without one it is the host's.
   */
  Guard(
      Function<ConsoleRequest, @Nullable String> users,
      String unknown,
      @Nullable Set<String> hosts,
      @Nullable PublicOrigin publicOrigin) {
    this.users = users;
    this.unknown = unknown;
    this.hosts = hosts;
    this.publicOrigin = publicOrigin;
  }

  /** A page elsewhere may have its name resolved to this address. A tunnel has another port. */
  void requireHost(ConsoleRequest request) {
    String host = Objects.requireNonNullElse(request.header("Host"), "");
    String name = host.toLowerCase(Locale.ROOT).replaceFirst(":\\d*$", "");
    if (hosts != null && !hosts.contains(name)) {
      throw new AnswerException(421, "This console does not answer to that host name.");
    }
  }

  /** The user, in words for the log. */
  String requireUser(ConsoleRequest request) {
    String user = users.apply(request);
    if (user == null) {
      throw new AnswerException(401, unknown);
    }
    return user;
  }

  /** The browser must not have been made to ask by another page. */
  void requireSameOrigin(ConsoleRequest request) {
    String site = request.header("Sec-Fetch-Site");
    boolean isElsewhere = site != null && !site.equals("same-origin") && !site.equals("none");
    if (isElsewhere || !isOwnOrigin(request)) {
      throw new AnswerException(403, "This was asked by a page of another origin.");
    }
    if (READS.contains(request.method())) {
      return;
    }
    String type = request.header("Content-Type");
    boolean isJson = type != null && type.toLowerCase(Locale.ROOT).startsWith("application/json");
    if (request.header(OWN_HEADER) == null || !isJson) {
      throw new AnswerException(403, "This was not asked by the console's own page.");
    }
  }

  private boolean isOwnOrigin(ConsoleRequest request) {
    String origin = request.header("Origin");
    String host = request.header("Host");
    if (origin == null) {
      return true;
    }
    if (publicOrigin != null) {
      return origin.equalsIgnoreCase(publicOrigin.text());
    }
    try {
      return host != null && host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
    } catch (IllegalArgumentException e) {
      return false; // such as "null", or what no browser sends
    }
  }
}
