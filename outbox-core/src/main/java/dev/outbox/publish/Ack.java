package dev.outbox.publish;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The publisher's answer for one envelope: a closed set of five.
 *
 * <p>Immutable.
 *
 * <pre>{@code
 * Ack done = Ack.delivered();
 * Ack later = Ack.failed(new IOException("503")); // tried again, an attempt counts
 * Ack never = Ack.rejected("no such account"); // a dead letter at once
 * Ack down = Ack.unavailable(new ConnectException()); // tried again, nothing counts
 * Ack untouched = Ack.notSent("the deadline is near");
 * Ack read = Ack.of(cause); // what an exception of the client means
 * }</pre>
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
   * non-null {@code retryAfter} is the least time until the next attempt, at most ten years.
   */
  record Unavailable(Throwable cause, @Nullable Duration retryAfter) implements Ack {
    public Unavailable {
      cause = Answers.given(cause);
    }
  }

  /**
   * It was not handed to the broker, as when the flight {@link Flight#shouldStop} before its turn
   * came: it stays where it is and is published by a later flight. No attempt is counted.
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
   * What a throwable means without a classifier: connection refused or lost, unknown host, no
   * route, no connection to a database, timeouts and interrupts, anywhere in the chain of causes,
   * are {@link Unavailable}; so is what the usual clients of brokers throw while their broker is
   * down, which is known by name. All else is {@link Failed}.
   */
  static Ack of(Throwable thrown) {
    Throwable cause = Answers.unwrap(thrown);
    return Outages.speaksOfOne(cause) ? unavailable(cause) : failed(cause);
  }

  /** Reads throwables. */
  final class Answers {
    private static final Ack DELIVERED = new Delivered();

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
  }
}
