package dev.outbox.testkit.contract;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.InMemoryBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

final class BatchedPublishingTest extends PublisherContract {
  @Override
  protected PublisherEnvironment open() {
    return new InMemoryPublishing(
        (broker, threads) -> Publisher.batch(list -> sent(list, broker, threads)));
  }

  /** Sends all, then waits for the confirms. */
  private static List<Ack> sent(List<Envelope> list, InMemoryBroker broker, ExecutorService threads)
      throws InterruptedException {
    List<Future<?>> sends = new ArrayList<>();
    for (Envelope envelope : list) {
      sends.add(
          threads.submit(
              () -> {
                broker.receive(envelope);
                return envelope;
              }));
    }
    List<Ack> acks = new ArrayList<>();
    for (Future<?> send : sends) {
      acks.add(confirmed(send));
    }
    return acks;
  }

  private static Ack confirmed(Future<?> send) throws InterruptedException {
    try {
      send.get();
      return Ack.delivered();
    } catch (ExecutionException e) {
      return Ack.of(e);
    }
  }
}
