package dev.outbox.micrometer;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.SendObserver;
import io.micrometer.observation.Observation;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The observation of one call of the client: current while the call lasts, and stopped when the
 * call has returned and every message has its answer.
 *
 * <p>Safe for use by many threads; closed by the thread that began it.
 */
final class ObservedSend implements SendObserver.Scope {
  private final Observation observation;
  private final Observation.Scope current;
  private final AtomicInteger awaited;
  private volatile String outcome = "delivered";

  @SuppressWarnings("MustBeClosedChecker") // close() does
  ObservedSend(Observation observation, int messages) {
    this.observation = observation;
    this.current = observation.openScope();
    this.awaited = new AtomicInteger(messages + 1);
  }

  @Override
  public void answered(Envelope envelope, Ack ack) {
    if (ack instanceof Ack.Failed failed) {
      outcome = "failed";
      observation.error(failed.cause());
    } else if (ack instanceof Ack.Unavailable unavailable) {
      outcome = "unavailable";
      observation.error(unavailable.cause());
    } else if (ack instanceof Ack.Rejected) {
      outcome = "rejected";
    } else if (ack instanceof Ack.NotSent) {
      outcome = "not_sent";
    }
    stopIfOver();
  }

  @Override
  public void close() {
    current.close();
    stopIfOver();
  }

  private void stopIfOver() {
    if (awaited.decrementAndGet() == 0) {
      observation.lowCardinalityKeyValue("outcome", outcome).stop();
    }
  }
}
