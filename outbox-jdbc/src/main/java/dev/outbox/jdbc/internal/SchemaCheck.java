package dev.outbox.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares a database with the DDL.
 *
 * <p>Used by one thread.
 */
final class SchemaCheck {
  private static final Pattern TABLE =
      Pattern.compile("CREATE TABLE (?:IF NOT EXISTS )?([\\w.]+) \\((.*)\\)", Pattern.DOTALL);

  private final List<String> findings = new ArrayList<>();

  private SchemaCheck() {}

  static SchemaCheck of(Connection connection, Ddl ddl) throws SQLException {
    SchemaCheck check = new SchemaCheck();
    for (String statement : ddl.statements()) {
      Matcher table = TABLE.matcher(statement);
      if (table.lookingAt()) {
        check.table(connection, table.group(1));
      }
    }
    return check;
  }

  private void table(Connection connection, String name) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT * FROM " + name + " WHERE 1 = 0")) {
      rows.getMetaData();
    } catch (SQLException e) {
      findings.add("table " + name + " is missing: " + e.getMessage());
    }
  }

  List<String> findings() {
    return List.copyOf(findings);
  }
}
