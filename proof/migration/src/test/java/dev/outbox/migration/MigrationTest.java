package dev.outbox.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.OrderPlaced;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.testkit.Arrival;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows that other libraries wrote themselves are moved by the page and delivered by a relay. */
class MigrationTest {
  private static final Map<String, Origin> ORIGINS =
      Map.of(
          "gruelbox", new Gruelbox(),
          "namastack", new Namastack(),
          "modulith", new Modulith(),
          "handwritten", new HandWritten());
  private static final Pattern NUMBER = Pattern.compile("\"number\": ?(\\d+)");
  private static final int LANES = 32;

  static Stream<Arguments> cases() {
    return Stream.of(Database.POSTGRES, Database.MYSQL, Database.MARIADB)
        .flatMap(
            database ->
                ORIGINS.keySet().stream().sorted().map(name -> Arguments.of(name, database)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void what_waits_in_another_outbox_is_delivered_once_and_in_order(String name, Database database)
      throws Exception {
    Origin origin = ORIGINS.get(name);
    try (Sandbox sandbox = database.sandbox()) {
      origin.fill(sandbox);
      Schema.builder(sandbox.dataSource()).lanes(LANES).create();
      Set<String> before = texts(sandbox, origin.ids());
      move(sandbox, MigratePage.statements(name, database));
      Set<String> left = texts(sandbox, origin.ids());
      assertThat(left).as("rows that were delivered before").hasSize(Origin.DELIVERED);
      assertThat(lanes(sandbox)).isEqualTo(lanesOfKeys());

      List<Envelope> arrived = delivered(sandbox);
      move(sandbox, MigratePage.statements(name, database));
      assertThat(delivered(sandbox)).as("moved a second time").isEmpty();

      assertThat(arrived).hasSize(Origin.ALL - Origin.DELIVERED);
      assertThat(arrived).extracting(Envelope::topic).containsOnly("orders.placed");
      before.removeAll(left);
      assertThat(arrived).extracting(each -> each.id().toString()).hasSameElementsAs(before);
      boolean ordered = origin.keepsOrder(database == Database.POSTGRES);
      for (String customer : List.of("customer-0", "customer-1", "customer-2")) {
        assertNumbers(numbers(arrived, customer), expected(customer), ordered);
      }
      if (name.equals("namastack")) {
        assertThat(arrived).allMatch(each -> each.headers().equals(Map.of("tenant", "acme")));
      }
    }
  }

  private static void assertNumbers(List<Integer> found, List<Integer> wanted, boolean ordered) {
    if (ordered) {
      assertThat(found).isEqualTo(wanted);
    } else {
      assertThat(found).hasSameElementsAs(wanted);
    }
  }

  /** A straggler of the old application waits, or stays for the next time. */
  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void a_row_that_is_written_during_the_move_is_not_lost(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      new HandWritten().fill(sandbox);
      Schema.builder(sandbox.dataSource()).lanes(LANES).create();
      int rows = Origin.ALL;
      List<String> statements = MigratePage.statements("handwritten", database);
      try (Connection moving = sandbox.open();
          Connection straggler = sandbox.open()) {
        run(straggler, List.of("SET SESSION innodb_lock_wait_timeout = 1"));
        run(moving, statements.subList(0, 2));
        rows += isWritten(straggler) ? 1 : 0;
        run(moving, statements.subList(2, statements.size()));
      }
      Set<String> after = texts(sandbox, "SELECT event_id FROM outbox_events");
      delivered(sandbox).forEach(each -> after.add(each.id().toString()));
      assertThat(after).hasSize(rows);
    }
  }

  private static boolean isWritten(Connection straggler) throws Exception {
    try {
      HandWritten.insert(straggler, new OrderPlaced("customer-1", Origin.ALL + 1), false);
      return true;
    } catch (SQLException waits) {
      assertThat(waits.getMessage()).contains("Lock wait timeout");
      return false;
    }
  }

  @Test
  void the_page_has_sql_for_each_library_and_database() throws Exception {
    for (String name : ORIGINS.keySet()) {
      assertThat(MigratePage.statements(name, Database.POSTGRES)).hasSize(1);
      assertThat(MigratePage.statements(name, Database.MYSQL)).hasSize(4);
    }
  }

  private static void move(Sandbox sandbox, List<String> statements) throws SQLException {
    try (Connection connection = sandbox.open()) {
      run(connection, statements);
    }
  }

  private static void run(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  private static Set<String> texts(Sandbox sandbox, String query) throws SQLException {
    Set<String> texts = new HashSet<>();
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  private static Set<String> lanes(Sandbox sandbox) throws SQLException {
    return texts(
        sandbox, "SELECT DISTINCT concat(msg_key, ' in lane ', lane) FROM outbox ORDER BY 1");
  }

  private static Set<String> lanesOfKeys() {
    Set<String> lanes = new HashSet<>();
    for (OrderPlaced order : Origin.orders()) {
      int lane = LaneHash.of(new Key(order.customer()), LANES).number();
      lanes.add(order.customer() + " in lane " + lane);
    }
    return lanes;
  }

  private static List<Envelope> delivered(Sandbox sandbox) {
    InMemoryBroker broker = InMemoryBroker.create();
    JdbcStore store = JdbcStore.create(sandbox.dataSource());
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
    return broker.messages().stream().map(Arrival::envelope).toList();
  }

  private static List<Integer> numbers(List<Envelope> arrived, String customer) {
    List<Integer> numbers = new ArrayList<>();
    for (Envelope envelope : arrived) {
      if (new Key(customer).equals(envelope.key())) {
        Matcher number = NUMBER.matcher(envelope.payload().text());
        assertThat(number.find()).as(envelope.payload().text()).isTrue();
        numbers.add(Integer.valueOf(number.group(1)));
      }
    }
    return numbers;
  }

  private static List<Integer> expected(String customer) {
    return Origin.orders().stream()
        .filter(order -> order.customer().equals(customer) && order.number() > Origin.DELIVERED)
        .map(OrderPlaced::number)
        .toList();
  }
}
