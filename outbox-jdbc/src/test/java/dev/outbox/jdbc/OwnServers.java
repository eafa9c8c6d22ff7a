package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import dev.outbox.servers.DatabaseServer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Servers beside those that all other classes share, for who stops them, changes their settings or
 * asks them all the time who writes. Thread-safe.
 */
public enum OwnServers {
  /** Of one proof at a time. */
  OF_PROOFS,
  /** Of the doctor's cases, one class for each database. */
  OF_THE_DOCTOR,
  /** Of the contracts, which count deadlocks and wait for the list of who writes. */
  OF_CONTRACTS;

  @SuppressWarnings("ImmutableEnumChecker") // the servers of this JVM
  private final Map<Database, DatabaseServer> started = new ConcurrentHashMap<>();

  /** Started now if it was not. */
  public DatabaseServer on(Database database) {
    return started.computeIfAbsent(database, Database::anotherServer);
  }
}
