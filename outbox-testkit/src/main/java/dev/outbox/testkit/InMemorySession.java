package dev.outbox.testkit;

import dev.outbox.store.StoreException;

/**
 * A relay's session with an in-memory store. When the store has gone back the session is cut: its
 * next call fails, and those after it are of a new one.
 *
 * <p>Guarded by the monitor of its {@link Tables}.
 */
final class InMemorySession {
  private final Tables tables;
  private int era;

  InMemorySession(Tables tables) {
    this.tables = tables;
    synchronized (tables) {
      this.era = tables.era();
    }
  }

  /** Begins a call. */
  void begin() {
    synchronized (tables) {
      if (era != tables.era()) {
        era = tables.era();
        throw StoreException.passing("the connection was lost when the store went back", null);
      }
    }
  }
}
