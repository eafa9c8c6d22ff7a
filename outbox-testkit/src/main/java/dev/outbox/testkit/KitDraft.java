package dev.outbox.testkit;

import dev.outbox.Outbox;
import dev.outbox.json.JacksonCodec;
import dev.outbox.message.PayloadCodec;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.internal.kit.KitParts;
import dev.outbox.testkit.internal.kit.MemoryParts;
import dev.outbox.testkit.internal.kit.StoreParts;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What a {@link Kit.Builder} was told. Used by one thread. */
final class KitDraft {
  final InMemoryBroker.Builder broker = InMemoryBroker.builder();
  PayloadCodec codec = JacksonCodec.create();
  Supplier<Map<String, String>> headers = Map::of;
  Consumer<Outbox.Builder> settings = untouched -> {};
  RetryPolicy retry = RetryPolicy.standard();
  Function<InMemoryBroker, Publisher> publisher = InMemoryBroker::publisher;
  @Nullable OutboxStore over;
  @Nullable DataSource dataSource;
  @Nullable SettableClock clock;

  private final InMemoryStore.Builder inMemory = InMemoryStore.builder();
  private boolean isLaidOut;

  /** The store in memory, whose layout is about to be set. */
  InMemoryStore.Builder laidOut() {
    isLaidOut = true;
    return inMemory;
  }

  Outbox outbox(OutboxStore store) {
    Outbox.Builder builder = Outbox.builder(store).codec(codec).headers(headers);
    settings.accept(builder);
    return builder.build();
  }

  KitParts parts() {
    if (over == null) {
      return MemoryParts.of(inMemory, clock);
    }
    if (isLaidOut) {
      throw new IllegalArgumentException(
          "lanes and rows are settings of a kit in memory, this one takes them from its tables; leave them out");
    }
    return new StoreParts(over, dataSource, clock);
  }
}
