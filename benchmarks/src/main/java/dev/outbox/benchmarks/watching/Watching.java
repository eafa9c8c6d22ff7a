package dev.outbox.benchmarks.watching;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import java.util.function.Function;

/** What watches one installation; nothing does unless it is said. */
public interface Watching extends AutoCloseable {
  /** Nothing watches. */
  Function<OutboxStore, Watching> NOTHING = store -> new Watching() {};

  default void watch(Outbox.Builder outbox) {}

  default Publisher watch(Publisher publisher) {
    return publisher;
  }

  default void watch(Relay.Builder relay) {}

  /** The relay runs. */
  default void started(Relay relay) {}

  @Override
  default void close() {}
}
