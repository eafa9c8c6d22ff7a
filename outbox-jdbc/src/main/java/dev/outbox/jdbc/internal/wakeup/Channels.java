package dev.outbox.jdbc.internal.wakeup;

import dev.outbox.StoreException;
import dev.outbox.spi.Wakeup;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The channels of the outboxes in one database, over one listening and one telling session.
 *
 * <p>Safe for use by many threads.
 */
public final class Channels implements AutoCloseable {
  /** PostgreSQL's longest name of a channel is 63 bytes. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.$]{1,63}");

  private static final String TABLE =
      """
      SELECT n.nspname || '.' || c.relname
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.oid = to_regclass(?)
      """;

  private final DataSource dataSource;
  private final ListenThread listenThread;
  private final NotifyThread notifyThread;
  private final Map<String, Channel> channels = new ConcurrentHashMap<>();

  /** Connections come out of {@code dataSource} when they are needed. */
  public Channels(DataSource dataSource) {
    this(dataSource, Thread::new);
  }

  Channels(DataSource dataSource, ThreadFactory factory) {
    this.dataSource = dataSource;
    String self = UUID.randomUUID().toString().substring(0, 8);
    this.listenThread = new ListenThread(dataSource, self, factory);
    this.notifyThread = new NotifyThread(dataSource, self, factory);
  }

  /**
   * The wake-ups of the outbox whose ready table is called {@code table} on connections of {@code
   * store}.
   *
   * @throws StoreException when the database does not answer, or there is no such table
   */
  public Wakeup of(DataSource store, String table) {
    try (Connection connection = store.getConnection()) {
      return named(name(fullName(connection, table)));
    } catch (SQLException e) {
      throw StoreException.passing("cannot look for " + table + ": " + e.getMessage(), e);
    }
  }

  /** How many connections of {@code store} the next listener will hold beyond the present ones. */
  public int connectionsToCome(DataSource store) {
    return store.equals(dataSource) && !listenThread.hasBegun() ? 1 : 0;
  }

  Wakeup named(String name) {
    return channels.computeIfAbsent(name, any -> new Channel(any, listenThread, notifyThread));
  }

  private static String fullName(Connection connection, String table) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TABLE)) {
      statement.setString(1, table);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw StoreException.lasting("there is no table " + table, null);
        }
        return row.getString(1);
      }
    }
  }

  /** Schema and table, or a hash of them when they are no plain names or too long. */
  static String name(String table) {
    if (NAME.matcher(table).matches()) {
      return table;
    }
    byte[] bytes = table.getBytes(StandardCharsets.UTF_8);
    return "outbox." + UUID.nameUUIDFromBytes(bytes);
  }

  @Override
  public void close() {
    listenThread.close();
    notifyThread.close();
  }
}
