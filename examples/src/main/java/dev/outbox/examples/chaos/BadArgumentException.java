package dev.outbox.examples.chaos;

/** An argument that cannot be used; the message names it, its value and its limit. */
final class BadArgumentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadArgumentException(String message) {
    super(message);
  }
}
