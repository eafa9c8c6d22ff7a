package dev.outbox.publish;

import java.util.function.Function;

/** One envelope at a time on the calling thread. */
record BlockingPublisher(Publisher.Send send, Function<Throwable, Ack> reading)
    implements Publisher {
  @Override
  public void publish(Flight flight) {
    KeySequence.run(flight, send, reading);
  }

  /** Read before the key goes on: a failure read as Delivered does not stop it. */
  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    return new BlockingPublisher(
        send, thrown -> ClassifyingPublisher.reread(reading.apply(thrown), classifier));
  }

  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }
}
