package dev.outbox.testkit;

import dev.outbox.store.RelayRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The live relays of an in-memory store. */
final class InMemoryRelays implements RelayRegistry {
  private final Tables tables;

  InMemoryRelays(Tables tables) {
    this.tables = tables;
  }

  @Override
  public List<String> beat(String relay, Duration lifetime) {
    synchronized (tables) {
      Instant now = tables.now();
      tables.relays.values().removeIf(until -> !until.isAfter(now));
      tables.relays.put(relay, now.plus(lifetime));
      return List.copyOf(tables.relays.keySet());
    }
  }

  @Override
  public void leave(String relay) {
    synchronized (tables) {
      tables.relays.remove(relay);
    }
  }
}
