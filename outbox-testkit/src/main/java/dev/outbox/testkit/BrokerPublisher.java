package dev.outbox.testkit;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.testkit.internal.broker.BrokerRejection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Publishes each flight over its own connection, by a publisher made for that connection. */
record BrokerPublisher(Supplier<BrokerLink> links, Function<BrokerLink, Publisher> sender)
    implements Publisher {

  static Publisher blocking(Supplier<BrokerLink> links) {
    return new BrokerPublisher(
        links, link -> Publisher.blocking(link::send).classify(BrokerRejection::read));
  }

  static Publisher async(Supplier<BrokerLink> links, Executor executor) {
    return new BrokerPublisher(
        links,
        link ->
            Publisher.async(envelope -> sendOn(executor, link, envelope))
                .classify(BrokerRejection::read));
  }

  private static CompletionStage<?> sendOn(Executor executor, BrokerLink link, Envelope envelope) {
    CompletableFuture<Envelope> sent = new CompletableFuture<>();
    executor.execute(
        () -> {
          try {
            link.send(envelope);
            sent.complete(envelope);
          } catch (Throwable thrown) { // an Error too: the executor would keep it from the relay
            sent.completeExceptionally(thrown);
          }
        });
    return sent;
  }

  private Publisher connected() {
    return sender.apply(links.get());
  }

  @Override
  public void publish(Flight flight) throws Exception {
    connected().publish(flight);
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return connected().unanswered(envelope, silence);
  }

  @Override
  public Ordering ordering() {
    return connected().ordering();
  }

  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    return new BrokerPublisher(links, sender.andThen(publisher -> publisher.classify(classifier)));
  }
}
