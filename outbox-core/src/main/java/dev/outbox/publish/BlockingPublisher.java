package dev.outbox.publish;

/** One envelope at a time on the calling thread. */
record BlockingPublisher(Publisher.Send send) implements Publisher {
  @Override
  public void publish(Flight flight) {
    KeySequence.run(flight, send);
  }

  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }
}
