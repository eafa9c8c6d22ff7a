package dev.outbox.capture;

import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import dev.outbox.servers.DatabaseServer;
import dev.outbox.servers.Sandbox;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/**
 * A database whose log is read, with our tables in it, and the settings of its connector. It ends
 * with its slot.
 */
record Captured(Sandbox sandbox) implements AutoCloseable {
  private static final Map<Database, DatabaseServer> SERVERS = new EnumMap<>(Database.class);

  static Captured on(Database database) throws SQLException {
    Captured captured = new Captured(server(database).sandbox());
    Schema.builder(captured.sandbox.dataSource()).create();
    captured.createReader();
    return captured;
  }

  private static synchronized DatabaseServer server(Database database) {
    return SERVERS.computeIfAbsent(
        database,
        which ->
            which == Database.POSTGRES
                ? DatabaseServer.postgres("wal_level=logical", "max_replication_slots=30")
                : DatabaseServer.mysql("--log-bin=binlog", "--binlog-format=ROW", "--server-id=7"));
  }

  /** The user of the connector, with the rights that the page names and no others. */
  private void createReader() throws SQLException {
    if (database() == Database.POSTGRES) {
      execute("CREATE ROLE %1$s LOGIN REPLICATION PASSWORD '%1$s'".formatted(reader()));
      execute("GRANT SELECT ON outbox TO " + reader());
    } else {
      execute("CREATE USER '%1$s'@'%%' IDENTIFIED BY '%1$s'".formatted(reader()));
      execute(
          "GRANT REPLICATION SLAVE, REPLICATION CLIENT, RELOAD ON *.* TO '%s'@'%%'"
              .formatted(reader()));
      execute("GRANT SELECT ON outbox TO '%s'@'%%'".formatted(reader()));
    }
  }

  private String reader() {
    return "reader" + sandbox.name().substring(sandbox.name().indexOf('_'));
  }

  Database database() {
    return sandbox.server().database();
  }

  /** Runs a page's statements; what is beside each other on a server has a name of its own. */
  void run(String file) throws SQLException {
    try (Connection connection = sandbox.open()) {
      run(connection, text(file).replace("'outbox'", "'" + slot() + "'"));
    }
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : sql.replaceAll("(?m)^--.*$", "").split(";\\s*", -1)) {
        if (!each.isBlank()) {
          statement.execute(each);
        }
      }
    }
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  String slot() {
    return sandbox.name();
  }

  /** The connector, as the pages have it, for this server; {@code folder} keeps its positions. */
  Properties connector(Path folder, String... files) {
    Properties settings = new Properties();
    read(settings, database().name().toLowerCase(Locale.ROOT).replace("postgres", "postgresql"));
    for (String file : files) {
      read(settings, file);
    }
    URI server = URI.create(sandbox.url().substring("jdbc:".length()));
    settings.setProperty("name", "outbox");
    settings.setProperty("database.hostname", server.getHost());
    settings.setProperty("database.port", String.valueOf(server.getPort()));
    settings.setProperty("database.user", reader());
    settings.setProperty("database.password", reader());
    settings.setProperty("offset.storage.file.filename", folder.resolve("offsets").toString());
    settings.setProperty("offset.flush.interval.ms", "500");
    if (database() == Database.POSTGRES) {
      settings.setProperty("database.dbname", sandbox.name());
      settings.setProperty("slot.name", slot());
    } else {
      settings.setProperty("table.include.list", sandbox.name() + ".outbox");
      settings.setProperty("database.include.list", sandbox.name());
      settings.setProperty("database.ssl.mode", "disabled");
      settings.setProperty("driver.allowPublicKeyRetrieval", "true");
      settings.setProperty(
          "schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory");
      settings.setProperty(
          "schema.history.internal.file.filename", folder.resolve("history").toString());
    }
    return settings;
  }

  private static void read(Properties settings, String file) {
    try (InputStream content = Captured.class.getResourceAsStream("/" + file + ".properties")) {
      settings.load(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(String file) {
    try (InputStream content = Captured.class.getResourceAsStream("/" + file)) {
      return new String(content.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws SQLException {
    if (database() == Database.POSTGRES) {
      sandbox.terminateSessions();
      execute(
          "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = current_database()");
    }
    sandbox.close();
  }
}
