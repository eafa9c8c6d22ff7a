package dev.outbox.jdbc.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.StoreException;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.dialect.Product;
import dev.outbox.jdbc.internal.schema.Dialects;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.network.TcpProxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SessionTest {
  private static final Limits LIMITS = Limits.below(Duration.ofSeconds(15));

  private static Sql sql(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      Dialect dialect = Dialects.of(Product.of(connection.getMetaData()));
      return new Sql(dialect, Tables.of(null, "outbox", 63), null);
    }
  }

  private static List<Object> settings(Connection connection, Sql sql) throws SQLException {
    List<Object> settings = new ArrayList<>();
    settings.add(connection.getAutoCommit());
    settings.add(connection.getTransactionIsolation());
    settings.add(connection.getNetworkTimeout());
    try (var statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql.render(sql.statements().limits().read()))) {
      row.next();
      for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
        settings.add(row.getString(i));
      }
    }
    return settings;
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_connection_comes_back_as_it_was(Database database) throws SQLException {
    try (Sandbox sandbox = database.sandbox()) {
      DataSource pool = sandbox.pool(1);
      Sql sql = sql(pool);
      List<Object> before;
      try (Connection connection = pool.getConnection()) {
        before = settings(connection, sql);
      }
      List<Object> during =
          Session.once(pool, sql, LIMITS, "look", connection -> settings(connection, sql));
      assertThat(during.subList(0, 2))
          .containsExactly(false, Connection.TRANSACTION_READ_COMMITTED);
      assertThat(during.subList(3, during.size())).isNotEqualTo(before.subList(3, before.size()));
      try (Connection connection = pool.getConnection()) {
        assertThat(settings(connection, sql)).isEqualTo(before);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void work_that_lost_a_race_is_run_again_and_leaves_nothing_of_its_first_run(Database database)
      throws SQLException {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      Sql sql = sql(sandbox.dataSource());
      AtomicInteger runs = new AtomicInteger();
      int rows =
          Session.once(
              sandbox.dataSource(),
              sql,
              LIMITS,
              "insert",
              connection -> {
                execute(connection, "INSERT INTO outbox (lane, topic) VALUES (0, 't')");
                if (runs.incrementAndGet() < 3) {
                  throw new SQLException("deadlock", "40001", lostRace(database));
                }
                return number(connection, "SELECT COUNT(*) FROM outbox");
              });
      assertThat(runs).hasValue(3);
      assertThat(rows).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void what_was_begun_commits_only_when_it_is_asked_to(Database database) throws SQLException {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      try (Session session = new Session(sandbox.dataSource(), sql(sandbox.dataSource()), LIMITS)) {
        beginInsert(session);
        assertThat(ready(session)).isZero();
        session.commit(beginInsert(session));
        assertThat(ready(session)).isEqualTo(1);
      }
    }
  }

  private static Connection beginInsert(Session session) {
    return session.begin(
        "insert",
        connection -> {
          execute(connection, "INSERT INTO outbox (lane, topic) VALUES (0, 't')");
          return connection;
        });
  }

  private static int ready(Session session) {
    return session.transaction(
        "count", connection -> number(connection, "SELECT COUNT(*) FROM outbox"));
  }

  private static int lostRace(Database database) {
    return switch (database) {
      case MYSQL, MARIADB -> 1213;
      case H2 -> 40001;
      default -> 0;
    };
  }

  /** MySQL and MariaDB wait for whole seconds, which may be less than they were asked for. */
  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void a_lock_is_waited_for_once(Database database) throws SQLException {
    try (Sandbox sandbox = database.sandbox();
        Connection other = sandbox.open()) {
      Schema.builder(sandbox.dataSource()).create();
      other.setAutoCommit(false);
      other.createStatement().executeUpdate("UPDATE outbox_lane SET floor = 1 WHERE lane = 0");
      AtomicInteger runs = new AtomicInteger();

      assertThatThrownBy(
              () ->
                  Session.once(
                      sandbox.dataSource(),
                      sql(sandbox.dataSource()),
                      Limits.below(Duration.ofSeconds(6)),
                      "wait",
                      connection -> {
                        runs.incrementAndGet();
                        return execute(
                            connection, "UPDATE outbox_lane SET floor = 2 WHERE lane = 0");
                      }))
          .isInstanceOf(StoreException.class)
          .matches(e -> ((StoreException) e).isOfItsRows());
      assertThat(runs).hasValue(1);
      other.rollback();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void a_session_that_the_server_ended_is_reported_as_passing_and_replaced(Database database)
      throws SQLException {
    try (Sandbox sandbox = database.sandbox();
        Session session = new Session(sandbox.pool(1), sql(sandbox.dataSource()), LIMITS)) {
      assertThat(one(session)).isEqualTo(1);
      sandbox.terminateSessions();
      assertThatThrownBy(() -> one(session))
          .isInstanceOf(StoreException.class)
          .matches(e -> ((StoreException) e).isTransient());
      assertThat(one(session)).isEqualTo(1);
    }
  }

  /** H2 sends a long result in parts. */
  @Test
  void a_result_that_is_cut_off_while_it_is_read_is_reported_as_passing() throws SQLException {
    try (Sandbox sandbox = Database.H2_SERVER.sandbox();
        TcpProxy line = TcpProxy.before(sandbox.url());
        HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(line.through(sandbox.url()));
      pool.setUsername(sandbox.user());
      pool.setPassword(sandbox.password());
      try (Session session = new Session(pool, sql(sandbox.dataSource()), LIMITS)) {
        assertThatThrownBy(
                () ->
                    session.transaction("read", connection -> read(connection, 1_000, line::reset)))
            .isInstanceOf(StoreException.class)
            .matches(e -> ((StoreException) e).isTransient());
      }
    }
  }

  private static int read(Connection connection, int rows, Runnable meanwhile) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT x FROM SYSTEM_RANGE(1, " + rows + ")")) {
      meanwhile.run();
      int seen = 0;
      while (result.next()) {
        seen++;
      }
      return seen;
    }
  }

  private static int one(Session session) {
    return session.transaction("ask", connection -> number(connection, "SELECT 1"));
  }

  private static int execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  private static int number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1);
    }
  }
}
