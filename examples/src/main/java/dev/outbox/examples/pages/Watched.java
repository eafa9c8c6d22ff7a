package dev.outbox.examples.pages;

import dev.outbox.Relay;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import java.util.function.ObjLongConsumer;

/** What docs/publish-to-your-broker.md says around a send. */
public final class Watched {
  private Watched() {}

  /** A relay that measures each send, and closes its client. */
  public static Relay start(
      OutboxStore store, Publisher publisher, AutoCloseable client, ObjLongConsumer<String> timer) {
    Publisher measured =
        publisher.observed(
            envelopes -> {
              long start = System.nanoTime();
              return () -> timer.accept(envelopes.get(0).topic(), System.nanoTime() - start);
            });
    return Relay.builder(store, measured).owns(client).start();
  }
}
