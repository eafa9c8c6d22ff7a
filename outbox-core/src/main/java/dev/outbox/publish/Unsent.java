package dev.outbox.publish;

/**
 * Why an envelope was answered without having been handed to the broker: it says nothing of the
 * broker, and nothing of the message.
 */
public final class Unsent extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Unsent(String reason) {
    super(reason, null, false, false);
  }
}
