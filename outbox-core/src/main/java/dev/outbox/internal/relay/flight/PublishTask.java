package dev.outbox.internal.relay.flight;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Resolver;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Hands one flight to the publisher, on a publish thread. What the publisher throws answers every
 * envelope that has no answer yet; nothing leaves this class.
 *
 * <p>A flight may wait in the executor's queue. So whether the lease is still sure is asked once
 * more at take-off: a flight that comes too late is grounded, and the loop takes its messages back.
 * And before each send, by way of {@link OpenFlight#shouldStop}: a relay that was paused goes on
 * with nothing.
 */
public record PublishTask(
    Publisher publisher,
    OpenFlight flight,
    Ticker ticker,
    Duration deadline,
    BooleanSupplier leaseIsSure)
    implements Runnable {

  @Override
  public void run() {
    if (!leaseIsSure.getAsBoolean()) {
      flight.ground();
    } else if (flight.takeOff(ticker.now(), deadline, leaseIsSure)) {
      publish();
    }
  }

  private void publish() {
    try {
      guarded().publish(flight);
    } catch (InterruptedException e) {
      flight.threw(e);
      answerTheRest(Ack.of(e));
      Thread.currentThread().interrupt();
    } catch (Throwable thrown) {
      flight.threw(thrown);
      answerTheRest(Ack.of(thrown));
    }
  }

  /** No publisher takes a reference for a payload by mistake. */
  private Publisher guarded() {
    return publisher.resolvesReferences() ? publisher : publisher.resolving(Resolver.none());
  }

  private void answerTheRest(Ack ack) {
    for (int place = 0; place < flight.aboard().size(); place++) {
      if (flight.answer(place) == null) {
        flight.ack(flight.envelopes().get(place), ack);
      }
    }
  }
}
