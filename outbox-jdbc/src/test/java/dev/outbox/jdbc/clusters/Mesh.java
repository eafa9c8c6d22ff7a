package dev.outbox.jdbc.clusters;

import dev.outbox.servers.DatabaseServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * PostgreSQL servers with logical replication from each to every other, as docs/several-clusters.md
 * says.
 *
 * <p>Used by one thread.
 */
final class Mesh implements AutoCloseable {
  private static final String REPLICATED =
      "outbox, outbox_parked, outbox_delayed, outbox_dead, outbox_beat, outbox_takeover";

  private final List<DatabaseServer> servers = new ArrayList<>();

  Mesh(int count) {
    for (int number = 0; number < count; number++) {
      servers.add(
          DatabaseServer.postgres(
              "wal_level=logical",
              "wal_retrieve_retry_interval=100ms",
              "wal_receiver_timeout=5s",
              "wal_sender_timeout=5s",
              "max_connections=60",
              "shared_buffers=16MB"));
    }
  }

  int size() {
    return servers.size();
  }

  DatabaseServer server(int cluster) {
    return servers.get(cluster);
  }

  /** Once the tables are there. */
  void connect() throws SQLException {
    for (int from = 0; from < size(); from++) {
      run(from, "CREATE PUBLICATION outbox_changes FOR TABLE " + REPLICATED);
    }
    for (int to = 0; to < size(); to++) {
      for (int from = 0; from < size(); from++) {
        if (from != to) {
          run(to, subscription(from, to));
        }
      }
    }
  }

  private String subscription(int from, int to) {
    String port = server(from).url().replaceAll(".*:(\\d+)/.*", "$1");
    return """
        CREATE SUBSCRIPTION %s
        CONNECTION 'host=127.0.0.1 port=%s user=outbox dbname=postgres connect_timeout=2'
        PUBLICATION outbox_changes
        WITH (origin = none, copy_data = false, slot_name = from_%d_to_%d)
        """
        .formatted(name(from), port, from, to);
  }

  private static String name(int from) {
    return "changes_of_" + from;
  }

  /** Stops or resumes what {@code to} gets of {@code from}. */
  void set(int from, int to, boolean flows) throws SQLException {
    run(to, "ALTER SUBSCRIPTION %s %s".formatted(name(from), flows ? "ENABLE" : "DISABLE"));
  }

  /** Cuts a cluster off, or connects it again. */
  void cut(int cluster, boolean flows) throws SQLException {
    for (int other = 0; other < size(); other++) {
      if (other != cluster) {
        set(cluster, other, flows);
        set(other, cluster, flows);
      }
    }
  }

  /** What replication could not apply, as the servers' logs tell it. */
  List<String> conflicts() {
    return servers.stream()
        .flatMap(server -> server.log().orElse("").lines())
        .filter(line -> line.contains("duplicate key") || line.contains("insert_exists"))
        .toList();
  }

  long number(int cluster, String sql) throws SQLException {
    try (Connection connection = open(cluster);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  void run(int cluster, String sql) throws SQLException {
    try (Connection connection = open(cluster);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  Connection open(int cluster) throws SQLException {
    DatabaseServer server = server(cluster);
    return DriverManager.getConnection(server.url(), server.user(), server.password());
  }

  @Override
  public void close() {
    servers.forEach(DatabaseServer::stop);
  }
}
