package dev.outbox.benchmarks.databases;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.benchmarks.contender.Payload;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One database of many: its pool, its outbox and, once started, its relay.
 *
 * <p>Used by one thread at a time.
 */
final class Shard implements AutoCloseable {
  private static final int AT_A_TIME = 500;
  private static final int POOL = 3;

  private final HikariDataSource pool;
  private final JdbcStore store;
  private final Outbox outbox;
  private @Nullable Relay relay;
  private @Nullable Connection writing;

  private Shard(HikariDataSource pool) {
    this.pool = pool;
    this.store = JdbcStore.create(pool);
    this.outbox = Outbox.create(store);
  }

  /** With tables, reached through {@code url}. */
  static Shard create(Sandbox sandbox, String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(sandbox.user());
    config.setPassword(sandbox.password());
    config.setMaximumPoolSize(POOL);
    config.setMinimumIdle(0);
    HikariDataSource pool = new HikariDataSource(config);
    Schema.builder(pool).create();
    return new Shard(pool);
  }

  /** Commits the messages {@code from} to below {@code to}. */
  void fill(long from, long to) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      for (long begin = from; begin < to; begin += AT_A_TIME) {
        List<Message> portion = new ArrayList<>();
        for (long number = begin; number < Math.min(begin + AT_A_TIME, to); number++) {
          portion.add(message(number));
        }
        outbox.enqueue(connection, portion);
        connection.commit();
      }
    }
  }

  private static Message message(long number) {
    return Message.to("orders").key(Payload.key(number)).bytes(Payload.bytes(number));
  }

  /** Starts the relay; its publisher's calls run on {@code shared}, or on threads of the relay. */
  void start(String name, Publisher publisher, Duration poll, @Nullable Executor shared) {
    Relay.Builder builder = Relay.builder(store, publisher).name(name).poll(poll);
    relay = (shared == null ? builder : builder.executor(shared)).start();
  }

  /** Commits message {@code number}, and returns when the commit had returned. */
  long write(long number) throws SQLException {
    Connection connection = writing;
    if (connection == null) {
      connection = pool.getConnection();
      connection.setAutoCommit(false);
      writing = connection;
    }
    outbox.enqueue(connection, message(number));
    connection.commit();
    long committed = System.nanoTime();
    outbox.wake();
    return committed;
  }

  @Override
  public void close() throws SQLException {
    if (relay != null) {
      relay.close();
    }
    if (writing != null) {
      writing.close();
    }
    pool.close();
  }
}
