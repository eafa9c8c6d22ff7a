package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** One envelope at a time on the calling thread. */
public record BlockingPublisher(
    Publisher.Send send, Function<Throwable, Ack> reading, Function<Throwable, Ack> silent)
    implements Publisher {
  @Override
  public void publish(Flight flight) {
    SequentialSend.run(flight, send, reading);
  }

  /** Read before the key goes on: a failure read as Delivered does not stop it. */
  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    Objects.requireNonNull(classifier, "classifier");
    return new BlockingPublisher(
        send,
        thrown -> ClassifyingPublisher.reread(reading.apply(thrown), classifier),
        thrown -> ClassifyingPublisher.reread(silent.apply(thrown), classifier));
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return silent.apply(silence);
  }

  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }
}
