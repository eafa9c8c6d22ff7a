package dev.outbox.servers;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;

/** Oracle: a sandbox is a user. Stateless. */
final class OracleProduct implements ServerProduct {
  private static final String SANDBOX_PASSWORD = "Sandbox1";

  @Override
  public Login login(ServerOrigin serverOrigin, String name) {
    return new Login(serverOrigin.url(), name, SANDBOX_PASSWORD);
  }

  @Override
  public List<String> create(String name, int version) {
    return List.of(
        "CREATE USER " + name + " IDENTIFIED BY " + SANDBOX_PASSWORD + " QUOTA UNLIMITED ON USERS",
        "GRANT CREATE SESSION, ALTER SESSION, CREATE TABLE, CREATE SEQUENCE, CREATE VIEW, "
            + "CREATE PROCEDURE, CREATE TRIGGER, CREATE TYPE TO "
            + name);
  }

  @Override
  public List<String> drop(String name) {
    return List.of("DROP USER " + name + " CASCADE");
  }

  @Override
  public String sessions(String name) {
    return "SELECT sid || ',' || serial# FROM v$session WHERE status <> 'KILLED' AND username = '"
        + name.toUpperCase(Locale.ROOT)
        + "'";
  }

  @Override
  public String kill(String session) {
    return "ALTER SYSTEM KILL SESSION '" + session + "' IMMEDIATE";
  }

  @Override
  public String setZone(ZoneOffset zone) {
    return "ALTER SESSION SET TIME_ZONE = '" + ServerProduct.offset(zone) + "'";
  }

  @Override
  public long deadlocks(Connection admin) throws SQLException {
    return PlainSql.number(admin, "SELECT value FROM v$sysstat WHERE name = 'enqueue deadlocks'");
  }
}
