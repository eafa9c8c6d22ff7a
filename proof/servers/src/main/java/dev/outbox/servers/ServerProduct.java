package dev.outbox.servers;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * The statements that differ from database to database when tests make, watch and drop sandboxes.
 * Implementations are stateless.
 */
interface ServerProduct {

  /** Whether the database lives inside the driver, so that {@link #inProcess()} is its origin. */
  default boolean needsNoServer() {
    return false;
  }

  default ServerOrigin inProcess() {
    throw new IllegalStateException(this + " needs a server");
  }

  /** The administrator's way in, where the named sandbox can be created, watched and dropped. */
  default Login admin(ServerOrigin serverOrigin, String name) {
    return new Login(serverOrigin.url(), serverOrigin.user(), serverOrigin.password());
  }

  /** How to reach the named sandbox on the server of this origin. */
  Login login(ServerOrigin serverOrigin, String name);

  /** On a server of that major version. */
  List<String> create(String name, int version);

  /** Run by the administrator after the sandbox's sessions are gone. */
  List<String> drop(String name);

  /** The query for the ids of all sessions in the named sandbox but the asking one. */
  String sessions(String name);

  /** The statement that ends the session of this id. */
  String kill(String session);

  String setZone(ZoneOffset zone);

  /** Deadlocks that the server has resolved since it started, by its own counter. */
  long deadlocks(Connection admin) throws SQLException;

  /** The text that the server's log shows once for each deadlock; empty if the counter is exact. */
  default Optional<String> deadlockMark() {
    return Optional.empty();
  }

  /** The offset as every database reads it, also for UTC. */
  static String offset(ZoneOffset zone) {
    return zone.equals(ZoneOffset.UTC) ? "+00:00" : zone.getId();
  }

  /** A way in: address and credentials. Immutable. */
  record Login(String url, String user, String password) {}
}
