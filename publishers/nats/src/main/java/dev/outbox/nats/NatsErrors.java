package dev.outbox.nats;

import dev.outbox.publish.Ack;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.io.Serial;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** What goes wrong with NATS, and what it means; {@code docs/brokers/nats.md} has the table. */
final class NatsErrors {
  /** The message is above the stream's {@code max_msg_size}; its headers are above 64 KiB. */
  private static final Set<Integer> OF_THE_MESSAGE = Set.of(10054, 10097);

  private NatsErrors() {}

  /** A message that no server would take: it was not sent. */
  static final class Refused extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    Refused(String reason) {
      super(reason);
    }
  }

  /** The broker cannot take it now, for a reason that is not of the message. */
  static final class NotNow extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    NotNow(String reason) {
      super(reason);
    }

    NotNow(String reason, Throwable cause) {
      super(reason, cause);
    }
  }

  /**
   * What the client throws of input and output is of the connection, as a login that is refused;
   * what JetStream says is of the stream, of the account or of the server, but for the codes that
   * speak of a message.
   */
  static Ack read(Throwable thrown) {
    if (thrown instanceof Refused) {
      return Ack.rejected(String.valueOf(thrown.getMessage()));
    }
    if (thrown instanceof JetStreamApiException answer
        && OF_THE_MESSAGE.contains(answer.getApiErrorCode())) {
      return Ack.rejected(String.valueOf(answer.getMessage()));
    }
    return thrown instanceof NotNow
            || thrown instanceof IOException
            || thrown instanceof JetStreamApiException
        ? Ack.unavailable(thrown)
        : Ack.of(thrown);
  }

  /** What a send ended with, in words that name its subject; {@code serverSaid} may be empty. */
  static Throwable of(Throwable thrown, String subject, String serverSaid) {
    Throwable cause = unwrapped(thrown);
    String said = serverSaid.isEmpty() ? "" : "; the server said: " + serverSaid;
    if (cause instanceof CancellationException) {
      return new NotNow("connection lost before the answer for subject '" + subject + "'", cause);
    }
    if (cause instanceof TimeoutException) {
      return new NotNow("no answer in time for subject '" + subject + "'" + said, cause);
    }
    if (cause instanceof IOException && String.valueOf(cause.getMessage()).contains("503")) {
      return new NotNow(
          "no stream has subject '%s', or JetStream is off: %s"
              .formatted(subject, cause.getMessage()),
          cause);
    }
    return cause;
  }

  /** The client wraps what it throws on its own thread. */
  private static Throwable unwrapped(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null
        && (cause instanceof CompletionException || cause.getClass() == RuntimeException.class)) {
      cause = cause.getCause();
    }
    return cause;
  }
}
