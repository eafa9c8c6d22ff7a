package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Starts every send of a flight at once and answers as they end. */
public record AsyncPublisher(Function<Envelope, ? extends CompletionStage<?>> send)
    implements Publisher {
  @Override
  public void publish(Flight flight) {
    for (Envelope envelope : flight.envelopes()) {
      start(flight, envelope);
    }
  }

  private void start(Flight flight, Envelope envelope) {
    try {
      send.apply(envelope)
          .whenComplete(
              (sent, thrown) ->
                  flight.ack(envelope, thrown == null ? Ack.delivered() : Ack.of(thrown)));
    } catch (Throwable thrown) { // an Error would answer sends that are in flight
      flight.ack(envelope, Ack.of(thrown));
    }
  }
}
