package dev.outbox.servers;

import java.io.Serial;

/** A database server that could not be had, with the reason and the remedy in words. Immutable. */
public final class ServerUnavailableException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  ServerUnavailableException(String reason) {
    super(reason);
  }

  ServerUnavailableException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
