package dev.outbox.kafka;

import java.io.Serial;

/** A payload that says it is JSON and is not. Immutable. */
final class NotJsonException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  NotJsonException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
