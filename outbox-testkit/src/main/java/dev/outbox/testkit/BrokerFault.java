package dev.outbox.testkit;

import dev.outbox.message.Envelope;

/**
 * Something that goes wrong at an in-memory broker, around the moment at which it accepts an
 * envelope.
 */
interface BrokerFault {
  /** Throws to refuse the envelope. */
  void beforeAccept(Envelope envelope) throws Exception;

  /** Throws to lose the confirmation of an envelope that has arrived. */
  default void afterAccept(Envelope envelope) throws Exception {}
}
