package dev.outbox.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.assertj.core.data.TemporalUnitOffset;
import org.assertj.core.data.TemporalUnitWithinOffset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

final class ServersTest {
  private static final ZoneOffset ZONE = ZoneOffset.ofHoursMinutes(5, 30);

  @BeforeAll
  static void start_all_servers_at_once() {
    Database.startAll(Database.POSTGRES, Database.MYSQL, Database.MARIADB, Database.H2);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ORACLE")
  void a_server_reports_its_version_and_source(Database database) throws SQLException {
    DatabaseServer server = database.server();

    assertThat(server.version()).containsPattern("[A-Za-z0-9]+ .*\\d+\\.\\d+");
    assertThat(server.source()).isNotBlank();
    assertThat(database.server()).isSameAs(server);
    assertThat(database.whyNot()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ORACLE")
  void a_sandbox_is_isolated_from_the_next(Database database) throws SQLException {
    try (Sandbox one = database.sandbox();
        Sandbox two = database.sandbox()) {
      run(one.dataSource(), "CREATE TABLE note (id INT PRIMARY KEY)");
      run(two.dataSource(), "CREATE TABLE note (id INT PRIMARY KEY)");
      run(one.dataSource(), "INSERT INTO note VALUES (1)");

      assertThat(ask(one.dataSource(), "SELECT count(*) FROM note")).isEqualTo("1");
      assertThat(ask(two.pool(2), "SELECT count(*) FROM note")).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void a_closed_sandbox_is_dropped_even_while_in_use(Database database) throws SQLException {
    Sandbox sandbox = database.sandbox();
    Connection forgotten = sandbox.open();
    forgotten.setAutoCommit(false);
    PlainSql.column(forgotten, "SELECT 1");

    sandbox.close();

    assertThatThrownBy(sandbox::open).isInstanceOf(SQLException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void a_provoked_deadlock_is_counted_and_logged(Database database) throws SQLException {
    DatabaseServer server = database.server();
    try (Sandbox sandbox = database.sandbox()) {
      run(sandbox.dataSource(), "CREATE TABLE note (id INT PRIMARY KEY, n INT)");
      run(sandbox.dataSource(), "INSERT INTO note VALUES (1, 0), (2, 0)");
      long before = server.deadlocks();

      provokeDeadlock(sandbox.dataSource());

      assertThat(server.deadlocks()).isEqualTo(before + 1);
      server.log().ifPresent(log -> assertThat(log).containsIgnoringCase("deadlock detected"));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ORACLE")
  void a_session_can_be_put_in_another_zone(Database database) throws SQLException {
    try (Sandbox sandbox = database.sandbox()) {
      LocalDateTime there = LocalDateTime.now(ZONE);
      LocalDateTime utc = LocalDateTime.now(ZoneOffset.UTC);

      assertThat(localClock(sandbox, ZONE)).isCloseTo(there, within10Seconds());
      assertThat(localClock(sandbox, ZoneOffset.UTC)).isCloseTo(utc, within10Seconds());
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ORACLE")
  void terminated_sessions_break_and_others_do_not(Database database) throws SQLException {
    try (Sandbox sandbox = database.sandbox();
        Sandbox other = database.sandbox();
        Connection victim = sandbox.open();
        Connection witness = other.open()) {
      PlainSql.column(victim, "SELECT 1");

      assertThat(sandbox.terminateSessions()).isEqualTo(1);

      assertThatThrownBy(() -> PlainSql.column(victim, "SELECT 1"))
          .isInstanceOf(SQLException.class);
      assertThat(PlainSql.column(witness, "SELECT 1")).containsExactly("1");
      assertThat(ask(sandbox.dataSource(), "SELECT 1")).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2_SERVER"})
  void a_restarted_server_kept_what_was_committed(Database database) throws SQLException {
    DatabaseServer server = database.server();
    assumeThat(server.isRestartable()).isTrue();
    try (Sandbox sandbox = database.sandbox();
        Connection cut = sandbox.open()) {
      run(sandbox.dataSource(), "CREATE TABLE note (id INT PRIMARY KEY)");
      run(sandbox.dataSource(), "INSERT INTO note VALUES (1)");
      cut.setAutoCommit(false);
      PlainSql.run(cut, List.of("INSERT INTO note VALUES (2)"));

      server.restart();

      assertThatThrownBy(cut::commit).isInstanceOf(SQLException.class);
      assertThat(ask(sandbox.dataSource(), "SELECT count(*) FROM note")).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2_SERVER"})
  void a_stopped_server_refuses_until_it_is_started(Database database) throws SQLException {
    DatabaseServer server = database.server();
    assumeThat(server.isRestartable()).isTrue();
    try (Sandbox sandbox = database.sandbox()) {
      assertThat(sandbox.sessions()).isZero();
      Connection cut = sandbox.open();
      PlainSql.column(cut, "SELECT 1");
      assertThat(sandbox.sessions()).isEqualTo(1);

      server.stop();
      assertThatThrownBy(sandbox::open).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> PlainSql.column(cut, "SELECT 1")).isInstanceOf(SQLException.class);
      server.start();

      assertThat(sandbox.sessions()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2_SERVER"})
  void another_server_can_be_stopped_while_the_shared_one_goes_on(Database database)
      throws SQLException {
    assumeThat(database.server().isRestartable()).isTrue();
    DatabaseServer another = database.anotherServer();
    try (Sandbox sandbox = database.sandbox()) {
      assertThat(another.url()).isNotEqualTo(database.server().url());
      another.stop();

      assertThatThrownBy(another::sandbox).isInstanceOf(ServerUnavailableException.class);
      assertThat(ask(sandbox.dataSource(), "SELECT 1")).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void two_hundred_sessions_fit(Database database) throws SQLException {
    try (Sandbox sandbox = database.sandbox()) {
      List<Connection> sessions = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        sessions.add(sandbox.open());
      }
      assertThat(sandbox.terminateSessions()).isEqualTo(sessions.size());
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ORACLE")
  void text_of_all_planes_survives(Database database) throws SQLException {
    try (Sandbox sandbox = database.sandbox()) {
      run(sandbox.dataSource(), "CREATE TABLE note (word VARCHAR(20))");
      run(sandbox.dataSource(), "INSERT INTO note VALUES ('Zoë \uD83D\uDE80')");

      assertThat(ask(sandbox.dataSource(), "SELECT word FROM note")).isEqualTo("Zoë \uD83D\uDE80");
    }
  }

  @Test
  void oracle_says_why_it_is_not_available() {
    assumeThat(Database.ORACLE.isAvailable()).isFalse();

    assertThat(Database.ORACLE.whyNot().orElseThrow())
        .contains("OUTBOX_TEST_ORACLE_URL")
        .contains("OUTBOX_TEST_ORACLE=docker");
    assertThatThrownBy(Database.ORACLE::server)
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContaining("OUTBOX_TEST_ORACLE_URL");
  }

  private static void provokeDeadlock(DataSource database) {
    CyclicBarrier bothHoldOne = new CyclicBarrier(2);
    CompletableFuture<Void> forth =
        CompletableFuture.runAsync(
            () -> updateBoth(database, 1, 2, bothHoldOne), ServersTest::onItsOwnThread);
    CompletableFuture<Void> back =
        CompletableFuture.runAsync(
            () -> updateBoth(database, 2, 1, bothHoldOne), ServersTest::onItsOwnThread);
    assertThatThrownBy(CompletableFuture.allOf(forth, back)::join)
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("eadlock");
  }

  /**
   * Two cores make a common pool of one thread, on which two that wait for each other never meet.
   */
  private static void onItsOwnThread(Runnable task) {
    new Thread(task, "one-of-two").start();
  }

  private static void updateBoth(DataSource database, int first, int second, CyclicBarrier both) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      PlainSql.run(connection, List.of("UPDATE note SET n = n + 1 WHERE id = " + first));
      both.await(30, TimeUnit.SECONDS);
      PlainSql.run(connection, List.of("UPDATE note SET n = n + 1 WHERE id = " + second));
      connection.commit();
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  private static LocalDateTime localClock(Sandbox sandbox, ZoneOffset zone) throws SQLException {
    try (Connection connection = sandbox.openInZone(zone)) {
      String now = PlainSql.column(connection, "SELECT " + clock(sandbox)).get(0);
      return LocalDateTime.parse(now.substring(0, 19).replace(' ', 'T'));
    }
  }

  private static String clock(Sandbox sandbox) {
    return switch (sandbox.server().database()) {
      case MYSQL, MARIADB -> "cast(now() AS CHAR)";
      case POSTGRES, H2, H2_FILE, H2_SERVER, H2_ORACLE, ORACLE ->
          "cast(LOCALTIMESTAMP AS VARCHAR(40))";
    };
  }

  private static TemporalUnitOffset within10Seconds() {
    return new TemporalUnitWithinOffset(10, ChronoUnit.SECONDS);
  }

  private static void run(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection()) {
      PlainSql.run(connection, List.of(sql));
    }
  }

  private static String ask(DataSource database, String query) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return PlainSql.column(connection, query).get(0);
    }
  }
}
