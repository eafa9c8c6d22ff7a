package dev.outbox.jdbc;

import static dev.outbox.jdbc.ReferencedTables.execute;
import static dev.outbox.jdbc.ReferencedTables.mail;
import static dev.outbox.jdbc.ReferencedTables.sandbox;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Claiming;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Resolver;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Relays that load payloads out of the application's own tables, on every database. */
class TableResolverRelayTest {
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_relay_by_lanes_publishes_rows_and_buries_what_is_missing(Database database)
      throws Exception {
    try (Sandbox sandbox = sandbox(database)) {
      Schema.builder(sandbox.pool()).create();
      JdbcStore store = JdbcStore.create(sandbox.pool());
      IntStream.rangeClosed(1, 20).forEach(id -> written(sandbox, id));
      enqueue(sandbox, Outbox.create(store), 1, 21);
      InMemoryBroker broker = InMemoryBroker.create();
      Resolver resolver =
          TableResolver.builder(sandbox.pool()).column("mail_deliveries", "id", "body").build();

      try (ManualRelay relay = ManualRelay.of(store, broker.publisher().resolving(resolver))) {
        relay.drainNow();
      }

      assertThat(broker.messages()).hasSize(20);
      assertThat(broker.messages())
          .allMatch(each -> each.text().equals("mail " + each.envelope().reference().id()));
      assertThat(store.deadLetters().page(Filter.all(), 0, 10))
          .extracting(letter -> letter.envelope().reference())
          .containsExactly(mail("21"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_transactional_worker_reads_in_its_claim_and_a_refused_read_undoes_nothing(
      Database database) throws Exception {
    try (Sandbox sandbox = sandbox(database)) {
      Schema.builder(sandbox.pool()).claiming(Claiming.ROWS).create();
      JdbcStore store = JdbcStore.create(sandbox.pool());
      execute(sandbox, "CREATE TABLE sent (body varchar(100) NOT NULL)");
      IntStream.rangeClosed(1, 5).forEach(id -> written(sandbox, id));
      enqueue(sandbox, Outbox.create(store), 1, 5);
      TableResolver tables =
          TableResolver.builder(sandbox.pool()).column("mail_deliveries", "id", "body").build();
      Resolver refusedOnce =
          (references, claim) -> {
            if (references.contains(mail("3"))) {
              try (Statement refused = claim.createStatement()) {
                refused.execute("INSERT INTO no_such_table VALUES (1)");
              }
            }
            return tables.resolve(references, claim);
          };
      Publisher writer =
          Publisher.transactional(
              (envelope, claim) -> {
                try (PreparedStatement insert =
                    claim.prepareStatement("INSERT INTO sent VALUES (?)")) {
                  insert.setString(1, envelope.payload().text());
                  insert.executeUpdate();
                }
              });

      try (ManualRelay relay = ManualRelay.of(store, writer.resolving(refusedOnce))) {
        relay.drainNow();
      }

      assertThat(count(sandbox, "sent")).isEqualTo(4);
      assertThat(count(sandbox, "outbox_parked")).isEqualTo(1);
      assertThat(count(sandbox, "outbox")).isZero();
    }
  }

  @Test
  void a_pool_that_has_nothing_beside_the_relays_own_connection_stops_only_what_needs_it()
      throws Exception {
    try (Sandbox sandbox = sandbox(Database.H2)) {
      Schema.builder(sandbox.pool()).create();
      mail(sandbox, 1, "one", null);
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(sandbox.url());
      config.setUsername(sandbox.user());
      config.setPassword(sandbox.password());
      config.setMaximumPoolSize(1);
      config.setConnectionTimeout(250);
      InMemoryBroker broker = InMemoryBroker.create();
      try (HikariDataSource one = new HikariDataSource(config)) {
        JdbcStore store = JdbcStore.create(one);
        Resolver resolver =
            TableResolver.builder(one).column("mail_deliveries", "id", "body").build();
        enqueue(sandbox, Outbox.create(JdbcStore.create(sandbox.pool())), 1, 1);
        try (Relay relay = Relay.builder(store, broker.publisher().resolving(resolver)).start()) {
          while (relay.status().brokersDown().isEmpty()) {
            Thread.onSpinWait();
          }
          assertThat(relay.health()).isEqualTo(RelayStatus.Health.DEGRADED);
        }
        assertThat(count(sandbox, "outbox")).isEqualTo(1);
        assertThat(count(sandbox, "outbox_parked")).isZero();

        one.setMaximumPoolSize(2);
        try (Relay relay = Relay.builder(store, broker.publisher().resolving(resolver)).start()) {
          while (relay.status().counts().delivered() == 0) {
            Thread.onSpinWait();
          }
        }
        assertThat(broker.messages()).extracting(each -> each.text()).containsExactly("one");
      }
    }
  }

  private static void written(Sandbox sandbox, int id) {
    try {
      mail(sandbox, id, "mail " + id, new byte[0]);
    } catch (SQLException e) {
      throw new IllegalStateException("mail " + id, e);
    }
  }

  private static void enqueue(Sandbox sandbox, Outbox outbox, int first, int last)
      throws SQLException {
    try (Connection connection = sandbox.open()) {
      connection.setAutoCommit(false);
      List<Message> messages =
          IntStream.rangeClosed(first, last)
              .mapToObj(id -> Message.to("mails").reference("mail_deliveries", id))
              .toList();
      outbox.enqueue(connection, messages);
      connection.commit();
    }
  }

  private static long count(Sandbox sandbox, String table) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
