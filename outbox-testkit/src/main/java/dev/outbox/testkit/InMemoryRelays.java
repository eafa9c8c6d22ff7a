package dev.outbox.testkit;

import dev.outbox.store.LiveRelay;
import dev.outbox.store.RelayRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The live relays of an in-memory store. */
final class InMemoryRelays implements RelayRegistry {
  private final Tables tables;
  private final Runnable call;

  /** Each call over a session of its own. */
  InMemoryRelays(Tables tables) {
    this(tables, () -> {});
  }

  /** Each call over a session, which it begins by {@code call}. */
  InMemoryRelays(Tables tables, Runnable call) {
    this.tables = tables;
    this.call = call;
  }

  @Override
  public List<LiveRelay> beat(String relay, Duration lifetime, boolean sharing) {
    synchronized (tables) {
      call.run();
      Instant now = tables.now();
      tables.relays.values().removeIf(row -> !row.until().isAfter(now));
      Tables.RelayRow before = tables.relays.get(relay);
      Instant startedAt = before == null ? now : before.relay().startedAt();
      LiveRelay live = new LiveRelay(relay, sharing, startedAt);
      tables.relays.put(relay, new Tables.RelayRow(live, now.plus(lifetime)));
      return live();
    }
  }

  @Override
  public List<LiveRelay> live() {
    synchronized (tables) {
      call.run();
      Instant now = tables.now();
      return tables.relays.values().stream()
          .filter(row -> row.until().isAfter(now))
          .map(Tables.RelayRow::relay)
          .toList();
    }
  }

  @Override
  public void leave(String relay) {
    synchronized (tables) {
      call.run();
      tables.relays.remove(relay);
    }
  }
}
