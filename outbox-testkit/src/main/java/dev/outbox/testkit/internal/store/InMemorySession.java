package dev.outbox.testkit.internal.store;

import dev.outbox.StoreException;
import dev.outbox.testkit.internal.tables.InMemoryTables;

/**
 * A relay's session with an in-memory store. When the store has gone back the session is cut: its
 * next call fails, and those after it are of a new one.
 *
 * <p>Guarded by the monitor of its {@link InMemoryTables}.
 */
final class InMemorySession {
  private final InMemoryTables inMemoryTables;
  private int era;

  InMemorySession(InMemoryTables inMemoryTables) {
    this.inMemoryTables = inMemoryTables;
    synchronized (inMemoryTables) {
      this.era = inMemoryTables.era();
    }
  }

  /** Begins a call. */
  void begin() {
    synchronized (inMemoryTables) {
      if (era != inMemoryTables.era()) {
        era = inMemoryTables.era();
        throw StoreException.passing("the connection was lost when the store went back", null);
      }
    }
  }
}
