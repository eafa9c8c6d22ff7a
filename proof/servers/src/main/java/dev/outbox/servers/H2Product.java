package dev.outbox.servers;

import java.nio.file.Path;
import java.sql.Connection;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * H2: a sandbox is its own database, whose name is put at the end of the origin's URL. Immutable.
 */
final class H2Product implements ServerProduct {
  private final Place place;
  private final String options;

  private enum Place {
    MEMORY,
    DISK,
    SERVER
  }

  private H2Product(Place place, String options) {
    this.place = place;
    this.options = options + ";LOCK_TIMEOUT=10000";
  }

  static H2Product memory(String options) {
    return new H2Product(Place.MEMORY, ";DB_CLOSE_DELAY=-1" + options);
  }

  static H2Product file() {
    return new H2Product(Place.DISK, ";AUTO_SERVER=TRUE");
  }

  /** Without a write delay a killed server keeps its commits. */
  static H2Product server() {
    return new H2Product(Place.SERVER, ";DB_CLOSE_DELAY=-1;WRITE_DELAY=0");
  }

  @Override
  public boolean needsNoServer() {
    return place != Place.SERVER;
  }

  @Override
  public ServerOrigin inProcess() {
    return place == Place.DISK
        ? new ServerOrigin(
            "jdbc:h2:file:" + freshFolder() + "/", "sa", "", "H2 on disk", Optional.empty())
        : new ServerOrigin("jdbc:h2:mem:", "sa", "", "H2 in memory", Optional.empty());
  }

  private static Path freshFolder() {
    ServerHome serverHome = ServerHome.open("h2");
    Runtime.getRuntime()
        .addShutdownHook(new Thread(serverHome::delete, "outbox-testkit-h2-cleanup"));
    return serverHome.path();
  }

  @Override
  public Login admin(ServerOrigin serverOrigin, String name) {
    return login(serverOrigin, name);
  }

  @Override
  public Login login(ServerOrigin serverOrigin, String name) {
    String url =
        place == Place.SERVER
            ? JdbcUrl.withDatabase(serverOrigin.url(), name)
            : serverOrigin.url() + name;
    return new Login(url + options, serverOrigin.user(), serverOrigin.password());
  }

  @Override
  public List<String> create(String name, int version) {
    return List.of();
  }

  @Override
  public List<String> drop(String name) {
    return List.of("SHUTDOWN");
  }

  @Override
  public String sessions(String name) {
    return "SELECT session_id FROM information_schema.sessions WHERE session_id <> session_id()";
  }

  @Override
  public String kill(String session) {
    return "CALL abort_session(" + session + ")";
  }

  @Override
  public String setZone(ZoneOffset zone) {
    return "SET TIME ZONE '" + ServerProduct.offset(zone) + "'";
  }

  @Override
  public long deadlocks(Connection admin) {
    throw new UnsupportedOperationException("H2 does not count its deadlocks");
  }
}
