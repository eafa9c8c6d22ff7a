package dev.outbox.servers;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** PostgreSQL: a sandbox is a database. Stateless. */
final class PostgresProduct implements ServerProduct {

  @Override
  public Login login(ServerOrigin serverOrigin, String name) {
    return new Login(
        JdbcUrl.withDatabase(serverOrigin.url(), name),
        serverOrigin.user(),
        serverOrigin.password());
  }

  @Override
  public List<String> create(String name, int version) {
    return List.of("CREATE DATABASE " + name + " TEMPLATE template0" + strategy(version));
  }

  /** A quarter of the work of a copy by the log. */
  private static String strategy(int version) {
    return version < 15 ? "" : " STRATEGY file_copy";
  }

  @Override
  public List<String> drop(String name) {
    return List.of("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
  }

  @Override
  public String sessions(String name) {
    return "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = '"
        + name
        + "'";
  }

  @Override
  public String kill(String session) {
    return "SELECT pg_terminate_backend(" + session + ")";
  }

  // A bare '+05:30' is read the POSIX way, with the sign turned round; the interval is not.
  @Override
  public String setZone(ZoneOffset zone) {
    return "SET TIME ZONE INTERVAL '" + ServerProduct.offset(zone) + "' HOUR TO MINUTE";
  }

  @Override
  public long deadlocks(Connection admin) throws SQLException {
    return PlainSql.number(admin, "SELECT coalesce(sum(deadlocks), 0) FROM pg_stat_database");
  }

  // The counter lags: an idle session reports its statistics up to ten seconds late.
  @Override
  public Optional<String> deadlockMark() {
    return Optional.of("ERROR:  deadlock detected");
  }
}
