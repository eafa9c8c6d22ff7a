package dev.outbox.testkit.internal.kit;

import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.Contents;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.IntSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A kit in memory. Safe for use by many threads. */
public record MemoryParts(InMemoryStore memory, SettableClock clock) implements KitParts {
  private static final String RELAY = "manual";

  /** A store by this clock, or by one at the present, as times of the code under test are. */
  public static MemoryParts of(InMemoryStore.Builder builder, @Nullable SettableClock clock) {
    SettableClock ofKit =
        Objects.requireNonNullElseGet(clock, () -> SettableClock.at(Instant.now()));
    return new MemoryParts(builder.clock(ofKit).build(), ofKit);
  }

  @Override
  public OutboxStore store() {
    return memory;
  }

  @Override
  public OutboxStore written() {
    return memory;
  }

  @Override
  public Publisher sent(Publisher publisher) {
    return publisher;
  }

  @Override
  public InstantSource time() {
    return clock;
  }

  @Override
  public DataSource dataSource() {
    return memory.dataSource();
  }

  @Override
  public ManualRelay.Builder relay(Publisher publisher) {
    return ManualRelay.builder(memory, publisher).name(RELAY).clock(clock);
  }

  @Override
  public Contents contents() {
    return memory.contents();
  }

  @Override
  public void empty(IntSupplier deliver) {
    throw new IllegalStateException(
        "a kit in memory is not cleared; make a new one by Kit.inMemory(), or let KitExtension do it for each test");
  }

  @Override
  public boolean awaitDelivered(int count, Duration timeout) throws InterruptedException {
    return memory.await(contents -> contents.delivered() >= count, timeout);
  }

  @Override
  public String relayName() {
    return RELAY;
  }
}
