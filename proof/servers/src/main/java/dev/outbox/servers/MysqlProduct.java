package dev.outbox.servers;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** MySQL and MariaDB, which agree on all of this: a sandbox is a database. Stateless. */
enum MysqlProduct implements ServerProduct {
  MYSQL,
  MARIADB;

  @Override
  public Login login(ServerOrigin serverOrigin, String name) {
    return new Login(
        JdbcUrl.withDatabase(serverOrigin.url(), name),
        serverOrigin.user(),
        serverOrigin.password());
  }

  @Override
  public List<String> create(String name, int version) {
    return List.of("CREATE DATABASE " + name + " CHARACTER SET utf8mb4");
  }

  @Override
  public List<String> drop(String name) {
    return List.of("DROP DATABASE IF EXISTS " + name);
  }

  @Override
  public String sessions(String name) {
    return "SELECT id FROM information_schema.processlist WHERE id <> connection_id() AND db = '"
        + name
        + "'";
  }

  @Override
  public String kill(String session) {
    return "KILL " + session;
  }

  @Override
  public String setZone(ZoneOffset zone) {
    return "SET time_zone = '" + ServerProduct.offset(zone) + "'";
  }

  @Override
  public long deadlocks(Connection admin) throws SQLException {
    return PlainSql.number(
        admin, "SELECT count FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks'");
  }

  // The counter of MySQL 8.0.15 stays at zero; its log, and MariaDB's, have every deadlock.
  @Override
  public Optional<String> deadlockMark() {
    return Optional.of("Transactions deadlock detected");
  }
}
