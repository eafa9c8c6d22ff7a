package dev.outbox.http;

import dev.outbox.publish.Ack;
import java.io.Serial;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint answered with a status other than 2xx. The message has the beginning of what it said.
 *
 * <p>Immutable.
 */
public final class StatusException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final int status;
  private final @Nullable Duration retryAfter;

  StatusException(URI destination, int status, @Nullable Duration retryAfter, String text) {
    super(
        "%s answered %d%s"
            .formatted(HttpErrors.shown(destination), status, text.isEmpty() ? "" : ": " + text));
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** The status, as 503. */
  public int status() {
    return status;
  }

  /** How long the endpoint asks to be left alone, at most a day, or null. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }

  /**
   * What the status means without a function of yours: an endpoint that is down, overloaded, moved,
   * not there or closed to us is {@link Ack.Unavailable}; one that refuses this message {@link
   * Ack.Rejected}; all else is {@link Ack.Failed}. {@code docs/brokers/http.md} has the table.
   */
  public Ack answer() {
    return switch (status) {
      case 401, 402, 403, 404, 405, 407, 421, 429, 502, 503, 504 -> unavailable();
      case 408, 409, 423, 425 -> new Ack.Failed(this, retryAfter);
      default -> answerByClass();
    };
  }

  private Ack answerByClass() {
    return switch (status / 100) {
      case 3 -> unavailable();
      case 4 -> Ack.rejected(String.valueOf(getMessage()));
      default -> new Ack.Failed(this, retryAfter);
    };
  }

  private Ack unavailable() {
    return new Ack.Unavailable(this, retryAfter);
  }
}
