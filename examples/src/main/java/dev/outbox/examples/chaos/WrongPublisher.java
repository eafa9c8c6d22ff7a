package dev.outbox.examples.chaos;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One that now and then answers for a message that it does not send, or sends one twice. */
record WrongPublisher(Publisher publisher, Random dice, Sabotage sabotage) implements Publisher {
  private static final int ONE_IN = 200;

  @Override
  public void publish(Flight flight) throws Exception {
    List<Envelope> wrong = new ArrayList<>();
    List<Envelope> right = new ArrayList<>();
    for (Envelope each : flight.envelopes()) {
      (dice.nextInt(ONE_IN) == 0 ? wrong : right).add(each);
    }
    if (sabotage == Sabotage.LOSE) {
      wrong.forEach(each -> flight.ack(each, Ack.delivered()));
      publisher.publish(new PartialFlight(flight, right, flight::ack));
    } else {
      publisher.publish(new PartialFlight(flight, wrong, (envelope, unheard) -> {}));
      publisher.publish(flight);
    }
  }

  @Override
  public Ordering ordering() {
    return publisher.ordering();
  }
}
