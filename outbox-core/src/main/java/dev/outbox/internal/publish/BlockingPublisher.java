package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.SendObserver;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** One envelope at a time on the calling thread. */
public record BlockingPublisher(Publisher.Send send, Reading reading) implements Publisher {
  @Override
  public void publish(Flight flight) {
    SequentialSend.run(flight, send, reading);
  }

  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    return new BlockingPublisher(send, reading.classified(classifier));
  }

  @Override
  public Publisher observed(SendObserver observer) {
    return new BlockingPublisher(send, reading.observed(observer));
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return reading.silence(silence);
  }

  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }
}
