package dev.outbox.benchmarks.measure;

import dev.outbox.servers.Database;
import dev.outbox.servers.DatabaseServer;

/**
 * The deadlocks that a server has resolved since a moment; none where it does not count them.
 *
 * <p>Immutable.
 */
public record Deadlocks(DatabaseServer server, long before) {
  public static Deadlocks since(DatabaseServer server) {
    return new Deadlocks(server, now(server));
  }

  public long count() {
    return now(server) - before;
  }

  private static long now(DatabaseServer server) {
    return server.database() == Database.H2 ? 0 : server.deadlocks();
  }
}
