package dev.outbox.testkit.contract;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Ordering;
import dev.outbox.publish.Publisher;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Keeps every flight in the air until a test answers it.
 *
 * <p>Safe for use by many threads.
 */
final class HoldingPublisher implements Publisher {
  private final List<Flight> flights = new CopyOnWriteArrayList<>();
  private final Ordering ordering;

  HoldingPublisher(Ordering ordering) {
    this.ordering = ordering;
  }

  @Override
  public void publish(Flight flight) {
    flights.add(flight);
  }

  @Override
  public Ordering ordering() {
    return ordering;
  }

  List<Flight> flights() {
    return List.copyOf(flights);
  }

  Flight flight(int number) {
    return flights.get(number);
  }

  /** The texts of all envelopes that were ever in the air, in their order. */
  List<String> texts() {
    return flights.stream()
        .flatMap(flight -> flight.envelopes().stream())
        .map(envelope -> envelope.payload().text())
        .toList();
  }

  /** Gives every envelope of every flight the same answer. */
  void answerAll(Ack ack) {
    for (Flight flight : flights) {
      flight.envelopes().forEach(envelope -> flight.ack(envelope, ack));
    }
  }

  /** Answers the envelopes with this text, in whichever flights they are. */
  void answer(String text, Ack ack) {
    for (Flight flight : flights) {
      for (Envelope envelope : flight.envelopes()) {
        if (envelope.payload().text().equals(text)) {
          flight.ack(envelope, ack);
        }
      }
    }
  }
}
