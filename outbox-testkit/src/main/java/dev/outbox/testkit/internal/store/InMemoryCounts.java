package dev.outbox.testkit.internal.store;

import dev.outbox.testkit.internal.tables.InMemoryTables;

/** How much is in the tables of an in-memory store at this moment. */
public record InMemoryCounts(InMemoryTables inMemoryTables) {
  public int ready() {
    synchronized (inMemoryTables) {
      return inMemoryTables.ready.size();
    }
  }

  public int parked() {
    synchronized (inMemoryTables) {
      return inMemoryTables.parked.size();
    }
  }

  public int delayed() {
    synchronized (inMemoryTables) {
      return inMemoryTables.delayed.size();
    }
  }

  public int archived() {
    synchronized (inMemoryTables) {
      return inMemoryTables.archive.size();
    }
  }
}
