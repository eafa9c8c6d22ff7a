package dev.outbox.testkit;

import dev.outbox.message.Envelope;
import dev.outbox.testkit.internal.broker.ArrivalLog;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * One envelope on its way to an in-memory broker, and what faults have made of it.
 *
 * <p>Used by one thread.
 */
final class Sending {
  private final Envelope envelope;
  private final BrokerLink link;
  private int copies = 1;
  private boolean heldBack;
  private boolean unconfirmed;

  Sending(Envelope envelope, BrokerLink link) {
    this.envelope = envelope;
    this.link = link;
  }

  void loseConfirm() {
    unconfirmed = true;
  }

  void arriveTwice() {
    copies = 2;
  }

  void holdBack() {
    heldBack = true;
  }

  void take(Duration time) throws InterruptedException {
    link.availability().pass(time);
  }

  void cutAfter(int more) {
    link.cutAfter(more);
  }

  void goDown(Duration time) {
    link.availability().downFor(time);
  }

  /** Arrives; what is thrown is the confirmation that got lost. */
  void arriveAt(ArrivalLog log) throws TimeoutException {
    for (int copy = 0; copy < copies; copy++) {
      log.accept(envelope, heldBack);
    }
    if (unconfirmed) {
      throw new TimeoutException("the in-memory broker's confirmation was lost");
    }
  }
}
