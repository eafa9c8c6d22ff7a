package dev.outbox.testkit.assertj;

import dev.outbox.json.JacksonCodec;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.Kit;

/**
 * Entry points of the assertions, for a static import beside those of AssertJ.
 *
 * <pre>{@code
 * assertThat(kit).isDrained();
 * assertThat(broker).hasReceived("orders.placed");
 * }</pre>
 */
public final class KitAssertions {
  private KitAssertions() {}

  /** Assertions on what the kit's outbox has enqueued and where it is. */
  public static KitAssert assertThat(Kit kit) {
    return new KitAssert(kit.store(), kit::contents, kit.codec());
  }

  /** Assertions on what was enqueued in an in-memory store and where it is. */
  public static KitAssert assertThat(InMemoryStore store) {
    return new KitAssert(store, store::contents, JacksonCodec.create());
  }

  /** Assertions on any store, as far as its ports show it. */
  public static StoreAssert assertThat(OutboxStore store) {
    return new StoreAssert(store);
  }

  /** Assertions on what has arrived at an in-memory broker. */
  public static BrokerAssert assertThat(InMemoryBroker broker) {
    return new BrokerAssert(broker, JacksonCodec.create());
  }
}
