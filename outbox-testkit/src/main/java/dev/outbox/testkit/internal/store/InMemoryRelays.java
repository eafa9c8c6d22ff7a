package dev.outbox.testkit.internal.store;

import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.lane.LiveRelay;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The live relays of an in-memory store. */
public final class InMemoryRelays implements RelayRegistry {
  private final InMemoryTables inMemoryTables;
  private final Runnable call;

  /** Each call over its own session. */
  public InMemoryRelays(InMemoryTables inMemoryTables) {
    this(inMemoryTables, () -> {});
  }

  /** Each call over a session, which it begins by {@code call}. */
  InMemoryRelays(InMemoryTables inMemoryTables, Runnable call) {
    this.inMemoryTables = inMemoryTables;
    this.call = call;
  }

  @Override
  public List<LiveRelay> beat(String relay, Duration lifetime, boolean sharing) {
    synchronized (inMemoryTables) {
      call.run();
      Instant now = inMemoryTables.now();
      inMemoryTables.relays.values().removeIf(row -> !row.until().isAfter(now));
      InMemoryTables.RelayRow before = inMemoryTables.relays.get(relay);
      Instant startedAt = before == null ? now : before.relay().startedAt();
      LiveRelay live = new LiveRelay(relay, sharing, startedAt);
      inMemoryTables.relays.put(relay, new InMemoryTables.RelayRow(live, now.plus(lifetime)));
      return live();
    }
  }

  @Override
  public List<LiveRelay> live() {
    synchronized (inMemoryTables) {
      call.run();
      Instant now = inMemoryTables.now();
      return inMemoryTables.relays.values().stream()
          .filter(row -> row.until().isAfter(now))
          .map(InMemoryTables.RelayRow::relay)
          .toList();
    }
  }

  @Override
  public void leave(String relay) {
    synchronized (inMemoryTables) {
      call.run();
      inMemoryTables.relays.remove(relay);
    }
  }
}
