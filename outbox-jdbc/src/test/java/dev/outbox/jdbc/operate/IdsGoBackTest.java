package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.RelayStatus.Health;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.LooksAtWriters;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.proof.Await;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A relay with its own threads, while its database begins its ids again. */
@LooksAtWriters
class IdsGoBackTest {
  /** Less than the minute after which a sweep would find them. */
  private static final Duration SOON = Duration.ofSeconds(40);

  private final Set<String> published = ConcurrentHashMap.newKeySet();

  private void publish(String text) {
    if (text.equals("parked")) {
      throw new IllegalStateException("not yet");
    }
    published.add(text);
  }

  private static void enqueue(Clinic clinic, String text) throws SQLException {
    Outbox outbox = Outbox.create(JdbcStore.create(clinic.pool()));
    Transactions.run(
        clinic.pool(),
        outbox,
        connection -> outbox.enqueue(connection, List.of(Message.to("t").key("k").text(text))));
  }

  private void awaitPublished(Clinic clinic, String text) throws Exception {
    enqueue(clinic, text);
    Await.until(text, SOON, () -> published.contains(text));
  }

  private Relay relay(Clinic clinic) {
    return Relay.builder(
            JdbcStore.create(clinic.sandbox().pool(4)),
            Publisher.blocking(envelope -> publish(envelope.payload().text())))
        .lease(Duration.ofSeconds(6), Duration.ofSeconds(2))
        .start();
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void its_status_says_so_until_they_are_raised_and_it_goes_on(Database database) throws Exception {
    try (Clinic clinic = new Clinic(database);
        Relay relay = relay(clinic)) {
      for (int message = 0; message < 5; message++) {
        awaitPublished(clinic, "before " + message);
      }
      Outbox outbox = Outbox.create(JdbcStore.create(clinic.pool()));
      Transactions.run(
          clinic.pool(),
          outbox,
          connection ->
              outbox.enqueue(connection, List.of(Message.to("flaky").key("p").text("parked"))));
      Await.until("a park", SOON, () -> relay.status().counts().parked() > 0);
      assertThat(relay.status().reason()).doesNotContain("ids");

      clinic.run(
          database == Database.MYSQL || database == Database.MARIADB
              ? "ALTER TABLE outbox AUTO_INCREMENT = 1"
              : "ALTER TABLE outbox ALTER COLUMN id RESTART WITH 1");
      awaitPublished(clinic, "after 1");
      awaitPublished(clinic, "after 2");
      Await.until("the status", SOON, () -> relay.status().reason().startsWith("ids went back"));
      assertThat(relay.health()).isEqualTo(Health.DEGRADED);
      assertThat(relay.status().reason()).contains("raiseIds()", "UPDATE outbox_lane");

      Schema.builder(clinic.pool()).build().raiseIds();
      Await.until(
          "the end of it", SOON, () -> !relay.status().reason().startsWith("ids went back"));
      awaitPublished(clinic, "after 3");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_table_that_was_emptied_under_it_delays_nothing(Database database) throws Exception {
    try (Clinic clinic = new Clinic(database);
        Relay relay = relay(clinic)) {
      for (int message = 0; message < 20; message++) {
        awaitPublished(clinic, "before " + message);
      }
      Await.until("an empty table", SOON, () -> relay.snapshot(1).ready() == 0);
      clinic.run(
          database == Database.MYSQL || database == Database.MARIADB
              ? "TRUNCATE TABLE outbox"
              : "TRUNCATE TABLE outbox RESTART IDENTITY");
      for (int message = 0; message < 5; message++) {
        awaitPublished(clinic, "after " + message);
      }
    }
  }
}
