package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.DeadLetters.ReplayPlan;
import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.jdbc.DocsPage;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.LooksAtWriters;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.message.Key;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@LooksAtWriters
class OperatePagesTest {
  @Test
  void the_table_lists_every_finding_in_order_with_its_severity() {
    assertThat(DocsPage.OPERATE_DOCTOR.findings())
        .containsExactlyElementsOf(
            Arrays.stream(FindingCode.values())
                .map(findingCode -> findingCode.code() + " " + findingCode.severity())
                .map(row -> row.replace("FAILURE", "failure").replace("WARNING", "warning"))
                .toList());
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void the_lane_of_a_key_is_computed_by_sql_as_by_the_library(Database database)
      throws SQLException {
    try (Clinic clinic = new Clinic(database)) {
      clinic.run(
          "INSERT INTO outbox (lane, topic, msg_key) VALUES (1, 't', 'order-1'), (1, 't', 'é€😀')");

      clinic.run(DocsPage.OPERATE_FAILOVER.statements("lanes", database).get(0));

      try (Connection connection = clinic.sandbox().open();
          var rows =
              connection.createStatement().executeQuery("SELECT lane, msg_key FROM outbox")) {
        while (rows.next()) {
          Key key = new Key(rows.getString("msg_key"));
          assertThat(rows.getInt("lane")).isEqualTo(LaneHash.of(key, 64).number());
        }
      }
    }
  }

  /** Two keys meet in one lane, which has published more than the one that comes to it. */
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void with_other_lanes_messages_and_dead_letters_leave_in_their_order(Database database)
      throws SQLException {
    InMemoryBroker broker = InMemoryBroker.create();
    String key = keyOfLane(20);
    try (Clinic clinic = new Clinic(database)) {
      broker.rejectIf(envelope -> envelope.topic().equals("mails"), "no such customer");
      enqueue(clinic, Message.to("mails").key(key).text("0"));
      drain(clinic, broker);
      broker.heal();
      enqueue(clinic, Message.to("orders").key(key).text("1"));
      enqueue(clinic, Message.to("orders").key(key).text("2"));
      clinic.run("UPDATE outbox_lane SET floor = 3 WHERE lane = 4");

      toSixteenLanes(clinic, database);
      enqueue(clinic, Message.to("orders").key(key).text("3"));
      DeadLetters.create(JdbcStore.create(clinic.pool())).replay(Filter.all(), ReplayPlan.atOnce());
      drain(clinic, broker);

      assertThat(broker.texts("orders", key)).containsExactly("1", "2", "3");
      assertThat(broker.texts("mails", key)).containsExactly("0");
    }
  }

  private static String keyOfLane(int lane) {
    return IntStream.iterate(0, number -> number + 1)
        .mapToObj(number -> "key-" + number)
        .filter(key -> LaneHash.of(new Key(key), 32).number() == lane)
        .findFirst()
        .orElseThrow();
  }

  /** As the page says for 64. */
  private static void toSixteenLanes(Clinic clinic, Database database) throws SQLException {
    for (String table : List.of("outbox", "outbox_parked", "outbox_delayed", "outbox_dead")) {
      for (String sql : DocsPage.OPERATE_FAILOVER.statements("lanes", database)) {
        clinic.run(sql.replace("64", "16").replace("UPDATE outbox ", "UPDATE " + table + " "));
      }
    }
    for (String sql : DocsPage.OPERATE_FAILOVER.statements("lanes-meta", database)) {
      clinic.run(sql.replace("64", "16"));
    }
    Schema.builder(clinic.pool()).lanes(16).create();
    clinic.run("DELETE FROM outbox_lane WHERE lane >= 16");
  }

  private static void enqueue(Clinic clinic, Message message) throws SQLException {
    Outbox outbox = Outbox.create(JdbcStore.create(clinic.pool()));
    Transactions.run(clinic.pool(), outbox, connection -> outbox.enqueue(connection, message));
  }

  private static void drain(Clinic clinic, InMemoryBroker broker) {
    try (ManualRelay relay = ManualRelay.of(JdbcStore.create(clinic.pool()), broker.publisher())) {
      relay.drainNow();
    }
  }
}
