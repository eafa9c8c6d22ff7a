package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.jdbc.DocsPage;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.LooksAtWriters;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The SQL of docs/runbook.md, run as it is there, with the grants of an operator. */
@LooksAtWriters
class RunbookTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final InMemoryBroker broker = InMemoryBroker.create();

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void every_look_is_answered(Database database) throws Exception {
    try (Clinic clinic = new Clinic(database)) {
      enqueue(clinic, "mails", "7", 1);
      DataSource operator = operator(clinic);

      run(operator.getConnection(), DocsPage.RUNBOOK.statements("runbook", database));

      // on PostgreSQL an administrator is in another database
      Connection admin =
          database == Database.POSTGRES ? clinic.sandbox().open() : clinic.sandbox().openAdmin();
      run(admin, DocsPage.RUNBOOK.statements("runbook-admin", database));
    }
  }

  /** The server tells when a transaction began by the clock of its machine, not of the session. */
  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void an_old_transaction_is_found_in_each_time_zone(Database database) throws Exception {
    String old =
        DocsPage.RUNBOOK.statements("runbook-admin", database).stream()
            .filter(sql -> sql.contains("innodb_trx"))
            .findFirst()
            .orElseThrow();
    try (Clinic clinic = new Clinic(database);
        Connection open = clinic.sandbox().open();
        Connection admin = clinic.sandbox().openAdmin()) {
      open.setAutoCommit(false);
      execute(open, List.of("INSERT INTO outbox (lane, topic) VALUES (0, 'mails')"));
      String thread = first(open, "SELECT CONNECTION_ID()").get(0);
      for (String zone : List.of("-11:00", "SYSTEM", "+00:00", "+13:00")) {
        execute(admin, List.of("SET time_zone = '" + zone + "'"));
        assertThat(first(admin, old)).as(zone).doesNotContain(thread);
        assertThat(first(admin, old.replace("1 MINUTE", "-1 MINUTE"))).as(zone).contains(thread);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void the_next_id_is_shown_to_the_owner(Database database) throws Exception {
    try (Clinic clinic = new Clinic(database)) {
      enqueue(clinic, "mails", "7", 3);
      List<String> looks = DocsPage.RUNBOOK.statements("runbook-next", database);
      try (Connection connection = clinic.sandbox().open();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(looks.get(0))) {
        row.next();
        assertThat(row.getString(row.getMetaData().getColumnCount()))
            .matches("(?s)4|.* AUTO_INCREMENT=4 .*");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_topic_is_paused_and_resumed(Database database) throws Exception {
    try (Clinic clinic = new Clinic(database)) {
      DataSource operator = operator(clinic);
      enqueue(clinic, "mails", "7", 2);
      enqueue(clinic, "orders.placed", "7", 1);

      run(operator.getConnection(), DocsPage.RUNBOOK.statements("runbook-pause", database));
      drain(clinic);
      assertThat(broker.topics()).containsExactly("orders.placed");

      run(operator.getConnection(), DocsPage.RUNBOOK.statements("runbook-resume", database));
      drain(clinic);
      assertThat(broker.texts("mails", "7")).containsExactly("1", "2");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_key_that_waits_for_its_retry_goes_on_at_once(Database database) throws Exception {
    try (Clinic clinic = new Clinic(database)) {
      DataSource operator = operator(clinic);
      enqueue(clinic, "orders.placed", "42", 3);
      broker.failNext(1, new IllegalStateException("the consumer is broken"));
      drain(clinic);
      drain(clinic);
      assertThat(broker.count()).isZero();

      run(operator.getConnection(), DocsPage.RUNBOOK.statements("runbook-retry", database));
      drain(clinic);
      assertThat(broker.texts("orders.placed", "42")).containsExactly("1", "2", "3");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void dead_letters_are_replayed_and_discarded(Database database) throws Exception {
    try (Clinic clinic = new Clinic(database)) {
      DataSource operator = operator(clinic);
      enqueue(clinic, "invoices.sent", "9", 5);
      broker.rejectIf(envelope -> true, "no such customer");
      drain(clinic);
      broker.heal();
      assertThat(count(clinic, "outbox_dead")).isEqualTo(5);

      try (Connection connection = operator.getConnection()) {
        connection.setAutoCommit(false);
        execute(connection, DocsPage.RUNBOOK.statements("runbook-replay", database));
        connection.commit();
      }
      run(operator.getConnection(), DocsPage.RUNBOOK.statements("runbook-discard", database));
      drain(clinic);

      assertThat(broker.texts("invoices.sent", "9")).containsExactly("1", "2");
      assertThat(count(clinic, "outbox_dead")).isEqualTo(1);
    }
  }

  private static DataSource operator(Clinic clinic) throws SQLException {
    clinic.createUser("operator");
    clinic.grant(
        DocsPage.OPERATE_GRANTS.statements("grants", clinic.sandbox().server().database()).stream()
            .filter(grant -> grant.contains("app_operator"))
            .toList());
    return clinic.dataSource(clinic.user("operator"));
  }

  private static void enqueue(Clinic clinic, String topic, String key, int count)
      throws SQLException {
    Outbox outbox = Outbox.create(JdbcStore.create(clinic.pool()));
    List<Message> messages =
        IntStream.rangeClosed(1, count)
            .mapToObj(number -> Message.to(topic).key(key).text(Integer.toString(number)))
            .toList();
    Transactions.run(clinic.pool(), outbox, connection -> outbox.enqueue(connection, messages));
  }

  /** By a relay that begins and ends, so that it knows of what was set. */
  private void drain(Clinic clinic) {
    JdbcStore store = JdbcStore.create(clinic.pool());
    try (ManualRelay relay =
        ManualRelay.builder(store, broker.publisher())
            .retry((attempts, failing) -> Optional.of(LONG))
            .build()) {
      relay.drainNow();
    }
  }

  private static void run(Connection lent, List<String> statements) throws SQLException {
    try (Connection connection = lent) {
      execute(connection, statements);
    }
  }

  private static void execute(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The first column. */
  private static List<String> first(Connection connection, String sql) throws SQLException {
    List<String> column = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        column.add(rows.getString(1));
      }
    }
    return column;
  }

  private static int count(Clinic clinic, String table) throws SQLException {
    try (Connection connection = clinic.sandbox().open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      row.next();
      return row.getInt(1);
    }
  }
}
