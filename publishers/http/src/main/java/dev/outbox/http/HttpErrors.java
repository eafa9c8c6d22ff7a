package dev.outbox.http;

import dev.outbox.publish.Ack;
import java.io.IOException;
import java.io.Serial;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with an endpoint, and what it means; {@code docs/brokers/http.md} has the table.
 */
final class HttpErrors {
  private HttpErrors() {}

  /** A message that can be no request, or has no place to go: it was not sent. */
  static final class Refused extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    Refused(String reason) {
      super(reason);
    }
  }

  /** It cannot be sent now, for a reason that is not of the message. */
  static final class NotNow extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    NotNow(String reason, @Nullable Throwable cause) {
      super(reason, cause);
    }
  }

  /**
   * What a function of the application returns. Where it looks may be down, so what it throws is no
   * fault of a message.
   *
   * @throws NotNow when it throws, but for a refusal of ours
   */
  static <T> T asked(String what, Supplier<T> function) {
    try {
      return function.get();
    } catch (Refused e) {
      throw e;
    } catch (RuntimeException e) {
      String unread = unread(e);
      throw new NotNow(
          "no %s can be had now: %s".formatted(what, unread == null ? e : unread),
          unread == null ? e : null);
    }
  }

  /** What is wrong with an address, or null when no cause of {@code thrown} quotes one. */
  private static @Nullable String unread(Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable cause = thrown; cause != null && seen.add(cause); cause = cause.getCause()) {
      if (cause instanceof URISyntaxException syntax) {
        return "%s at index %d".formatted(syntax.getReason(), syntax.getIndex());
      }
      if (cause instanceof MalformedURLException) {
        return "no valid address";
      }
    }
    return null;
  }

  /** The connection failed, or the answer did not come in time. */
  static final class Unreached extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    Unreached(URI destination, Throwable cause) {
      super(shown(destination) + " could not be reached: " + cause, cause);
    }
  }

  /** What the client throws of input and output is of the connection, as are certificates. */
  static Ack read(Throwable thrown, Function<StatusException, Ack> statuses) {
    if (thrown instanceof StatusException status) {
      return statuses.apply(status);
    }
    if (thrown instanceof Refused) {
      return Ack.rejected(String.valueOf(thrown.getMessage()));
    }
    boolean isOfTheConnection = thrown instanceof NotNow || thrown instanceof IOException;
    return isOfTheConnection ? Ack.unavailable(thrown) : Ack.of(thrown);
  }

  /**
   * A destination for a log: what is before the host, the path and a query may be secrets, as the
   * path of Slack's webhooks is.
   */
  static String shown(URI destination) {
    String authority = String.valueOf(destination.getRawAuthority());
    String host = authority.substring(authority.lastIndexOf('@') + 1);
    String path = destination.getRawPath() == null ? "" : destination.getRawPath();
    boolean hasMore = !path.isEmpty() || destination.getRawQuery() != null;
    return "%s://%s%s".formatted(destination.getScheme(), host, hasMore ? "/..." : "");
  }
}
