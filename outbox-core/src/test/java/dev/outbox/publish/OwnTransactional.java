package dev.outbox.publish;

/** A transactional publisher of the application. */
interface OwnTransactional extends Publisher {
  static Publisher of(OwnTransactional own) {
    return own;
  }

  @Override
  default boolean isTransactional() {
    return true;
  }
}
