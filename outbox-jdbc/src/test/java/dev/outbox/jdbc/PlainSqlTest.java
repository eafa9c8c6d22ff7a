package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.LaneHash;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.database.Database;
import dev.outbox.testkit.database.Sandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The INSERTs of docs/tables.md, as a writer without the library runs them. */
class PlainSqlTest {
  @ParameterizedTest
  @CsvSource({"POSTGRES,postgresql", "MYSQL,mysql", "MARIADB,mariadb", "H2,h2"})
  void a_plain_insert_enqueues(Database database, String dialect) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.of(sandbox.dataSource()).create();
      try (Connection connection = sandbox.open();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate(insertOf(dialect));
        try (ResultSet lane = statement.executeQuery("SELECT lane FROM outbox")) {
          assertThat(lane.next()).isTrue();
          assertThat(lane.getInt(1)).isEqualTo(LaneHash.of(new Key("customer-7"), 32).number());
        }
      }

      Envelope envelope = published(JdbcStore.create(sandbox.dataSource()));

      assertThat(envelope.topic()).isEqualTo("orders.placed");
      assertThat(envelope.key()).isEqualTo(new Key("customer-7"));
      assertThat(envelope.headers()).isEqualTo(Map.of("tenant", "acme"));
      assertThat(envelope.payload().contentType()).isEqualTo("application/json");
      assertThat(envelope.payload().text()).isEqualTo("{\"number\":1}");
    }
  }

  private static Envelope published(JdbcStore store) {
    InMemoryBroker broker = InMemoryBroker.create();
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
    assertThat(broker.count()).isEqualTo(1);
    return broker.messages().get(0).envelope();
  }

  private static String insertOf(String dialect) throws Exception {
    String page = Files.readString(Path.of("../docs/tables.md"));
    Matcher block =
        Pattern.compile(
                "<!-- insert:[a-z ]*\\b" + dialect + "\\b[a-z ]* -->\\s*```sql\\n(.*?)```",
                Pattern.DOTALL)
            .matcher(page);
    assertThat(block.find()).as("an INSERT for %s", dialect).isTrue();
    return block.group(1);
  }
}
