package dev.outbox.publish;

import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The publisher's answer for one envelope: a closed set of five.
 *
 * <p>Immutable.
 */
public sealed interface Ack {
  /** The broker has it: the message is done. */
  record Delivered() implements Ack {}

  /**
   * This message could not be delivered now: its key is held and it is tried again later. A
   * non-null {@code retryAfter} is the least time until then.
   */
  record Failed(Throwable cause, @Nullable Duration retryAfter) implements Ack {
    public Failed {
      cause = Answers.given(cause);
    }
  }

  /** This message can never be delivered: it becomes a dead letter at once. */
  record Rejected(String reason) implements Ack {
    public Rejected {
      reason = Objects.requireNonNullElse(reason, "no reason given");
    }
  }

  /**
   * The broker is down, which is no fault of this message: nothing is counted against it. A
   * non-null {@code retryAfter} is the least time until the next attempt.
   */
  record Unavailable(Throwable cause, @Nullable Duration retryAfter) implements Ack {
    public Unavailable {
      cause = Answers.given(cause);
    }
  }

  /**
   * It was not handed to the broker, as when the flight {@link Flight#shouldStop} before its turn
   * came: it stays where it is and is published by a later flight. Nothing is counted against
   * anybody.
   */
  record NotSent(String reason) implements Ack {
    public NotSent {
      reason = Objects.requireNonNullElse(reason, "no reason given");
    }
  }

  /** The broker has it. */
  static Ack delivered() {
    return Answers.DELIVERED;
  }

  /** Try again later. */
  static Ack failed(Throwable cause) {
    return new Failed(cause, null);
  }

  /** Never try again. */
  static Ack rejected(String reason) {
    return new Rejected(reason);
  }

  /** The broker is down. */
  static Ack unavailable(Throwable cause) {
    return new Unavailable(cause, null);
  }

  /** It was not handed to the broker, and is published later. */
  static Ack notSent(String reason) {
    return new NotSent(reason);
  }

  /**
   * What a throwable means when nobody says otherwise: connection refused, unknown host, no route,
   * no connection to a database, timeouts and interrupts, anywhere in the chain of causes, are
   * {@link Unavailable}; all else is {@link Failed}.
   */
  static Ack of(Throwable thrown) {
    Throwable cause = Answers.unwrap(thrown);
    return Answers.speaksOfAnOutage(cause) ? unavailable(cause) : failed(cause);
  }

  /** The reading of throwables. */
  final class Answers {
    private static final Ack DELIVERED = new Delivered();
    private static final int DEEPEST_CAUSE = 20;

    private Answers() {}

    /**
     * A null from {@code getCause} or {@code getMessage} is the user's slip; refusing it here would
     * lose the answer.
     */
    static Throwable given(@Nullable Throwable cause) {
      return cause == null ? new IllegalStateException("answered without a cause") : cause;
    }

    static Throwable unwrap(Throwable thrown) {
      Throwable cause = thrown.getCause();
      boolean wrapper =
          thrown instanceof CompletionException || thrown instanceof ExecutionException;
      return wrapper && cause != null ? cause : thrown;
    }

    static boolean speaksOfAnOutage(Throwable thrown) {
      return isCausedBy(thrown, Answers::isOutage);
    }

    /** True when a database says that the same may go well later. */
    static boolean isTransient(Throwable thrown) {
      return isCausedBy(thrown, cause -> cause instanceof SQLTransientException);
    }

    private static boolean isCausedBy(Throwable thrown, Predicate<Throwable> what) {
      Throwable cause = thrown;
      for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
        if (what.test(cause)) {
          return true;
        }
        cause = cause.getCause();
      }
      return false;
    }

    private static boolean isOutage(Throwable cause) {
      return cause instanceof ConnectException
          || cause instanceof UnknownHostException
          || cause instanceof NoRouteToHostException
          || cause instanceof InterruptedIOException
          || cause instanceof InterruptedException
          || isHttpTimeout(cause)
          || cause instanceof TimeoutException
          || isWithoutDatabase(cause);
    }

    /** By its name: whoever has no HTTP client needs none of its module. */
    private static boolean isHttpTimeout(Throwable cause) {
      for (Class<?> type = cause.getClass(); type != Throwable.class; type = type.getSuperclass()) {
        if (type.getName().equals("java.net.http.HttpTimeoutException")) {
          return true;
        }
      }
      return false;
    }

    /** By the class, or by the states that the standard keeps for connections. */
    private static boolean isWithoutDatabase(Throwable cause) {
      return cause instanceof SQLTransientConnectionException
          || cause instanceof SQLNonTransientConnectionException
          || (cause instanceof SQLException refusal
              && refusal.getSQLState() != null
              && refusal.getSQLState().startsWith("08"));
    }
  }
}
