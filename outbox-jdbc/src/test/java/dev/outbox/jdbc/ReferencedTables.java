package dev.outbox.jdbc;

import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** An application's own tables, to which messages refer. */
final class ReferencedTables {
  /** What differs from database to database. */
  record Types(String bytes, String longText, String json, String moment, String uuid) {
    static Types of(Database database) {
      return switch (database) {
        case POSTGRES -> new Types("bytea", "text", "jsonb", "timestamptz", "uuid");
        case MYSQL -> new Types("longblob", "longtext", "json", "datetime(3)", "binary(16)");
        case MARIADB -> new Types("longblob", "longtext", "longtext", "datetime(3)", "uuid");
        case H2 -> new Types("blob", "clob", "json", "timestamp with time zone", "uuid");
        case H2_FILE, H2_SERVER, H2_ORACLE, ORACLE ->
            throw new IllegalArgumentException("not run on " + database);
      };
    }
  }

  private ReferencedTables() {}

  static Sandbox sandbox(Database database) throws SQLException {
    Sandbox sandbox = database.sandbox();
    Types types = Types.of(database);
    execute(
        sandbox,
        "CREATE TABLE mail_deliveries (id bigint PRIMARY KEY, body %s, raw %s)"
            .formatted(types.longText(), types.bytes()),
        "CREATE TABLE users (id bigint PRIMARY KEY, password varchar(50))",
        "INSERT INTO users VALUES (1, 'secret')");
    return sandbox;
  }

  static void execute(Sandbox sandbox, String... statements) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  static void mail(Sandbox sandbox, long id, String body, byte[] raw) throws SQLException {
    try (Connection connection = sandbox.open();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO mail_deliveries VALUES (?, ?, ?)")) {
      insert.setLong(1, id);
      insert.setString(2, body);
      insert.setBytes(3, raw);
      insert.executeUpdate();
    }
  }

  static Map<Reference, String> texts(Map<Reference, Payload> found) {
    Map<Reference, String> texts = new HashMap<>();
    found.forEach((reference, payload) -> texts.put(reference, payload.text()));
    return texts;
  }

  static Reference mail(String id) {
    return new Reference("mail_deliveries", id);
  }
}
