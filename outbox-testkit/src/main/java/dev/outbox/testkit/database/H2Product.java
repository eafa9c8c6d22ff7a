package dev.outbox.testkit.database;

import java.nio.file.Path;
import java.sql.Connection;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * H2: a sandbox is a database of its own, whose name is put at the end of the origin's URL.
 * Immutable.
 */
final class H2Product implements Product {
  private final boolean onDisk;
  private final String options;

  private H2Product(boolean onDisk, String options) {
    this.onDisk = onDisk;
    this.options = options;
  }

  static H2Product memory(String options) {
    return new H2Product(false, ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000" + options);
  }

  static H2Product file() {
    return new H2Product(true, ";AUTO_SERVER=TRUE;LOCK_TIMEOUT=10000");
  }

  @Override
  public boolean needsNoServer() {
    return true;
  }

  @Override
  public Origin inProcess() {
    return onDisk
        ? new Origin(
            "jdbc:h2:file:" + freshFolder() + "/", "sa", "", "H2 on disk", Optional.empty())
        : new Origin("jdbc:h2:mem:", "sa", "", "H2 in memory", Optional.empty());
  }

  private static Path freshFolder() {
    Home home = Home.open("h2");
    Runtime.getRuntime().addShutdownHook(new Thread(home::delete, "outbox-testkit-h2-cleanup"));
    return home.path();
  }

  @Override
  public Login admin(Origin origin, String name) {
    return login(origin, name);
  }

  @Override
  public Login login(Origin origin, String name) {
    return new Login(origin.url() + name + options, origin.user(), origin.password());
  }

  @Override
  public List<String> create(String name) {
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
    return "SET TIME ZONE '" + Product.offset(zone) + "'";
  }

  @Override
  public long deadlocks(Connection admin) {
    throw new UnsupportedOperationException("H2 does not count its deadlocks");
  }
}
