package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters.Filter;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import dev.outbox.publish.Resolver;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The INSERTs of docs/tables.md, as a writer without the library runs them. */
@LooksAtWriters
class PlainSqlTest {
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_plain_insert_enqueues(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).create();
      try (Connection connection = sandbox.open();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate(only(DocsPage.TABLES.statements("insert", database)));
        try (ResultSet lane = statement.executeQuery("SELECT lane FROM outbox")) {
          assertThat(lane.next()).isTrue();
          assertThat(lane.getInt(1)).isEqualTo(LaneHash.of(new Key("customer-7"), 32).number());
        }
      }

      Envelope envelope = published(JdbcStore.create(sandbox.pool()));

      assertThat(envelope.topic()).isEqualTo("orders.placed");
      assertThat(envelope.key()).isEqualTo(new Key("customer-7"));
      assertThat(envelope.headers()).isEqualTo(Map.of("tenant", "acme"));
      assertThat(envelope.payload().contentType()).isEqualTo("application/json");
      assertThat(envelope.payload().text()).isEqualTo("{\"number\":1}");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_plain_insert_of_a_reference_enqueues(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).create();
      try (Connection connection = sandbox.open();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate(only(DocsPage.TABLES.statements("insert-reference", database)));
      }

      Envelope envelope = published(JdbcStore.create(sandbox.pool()));

      assertThat(envelope.reference()).isEqualTo(new Reference("mail_deliveries", "4711"));
      assertThat(envelope.payload().text()).isEqualTo("mail 4711");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'mail_deliveries', '7', 'payload too', a payload of 11 bytes and a reference",
    "'mail_deliveries', , , a reference needs a table and an id"
  })
  void a_row_that_is_half_a_reference_is_buried(
      String table, @Nullable String id, @Nullable String payload, String reason) throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      Schema.builder(sandbox.pool()).create();
      try (Connection connection = sandbox.open();
          PreparedStatement insert =
              connection.prepareStatement(
                  "INSERT INTO outbox (lane, topic, ref_table, ref_id, payload) VALUES (1, 't', ?,"
                      + " ?, ?)")) {
        insert.setString(1, table);
        insert.setString(2, id);
        insert.setBytes(3, payload == null ? null : payload.getBytes(StandardCharsets.UTF_8));
        insert.executeUpdate();
      }
      JdbcStore store = JdbcStore.create(sandbox.pool());

      try (ManualRelay relay = ManualRelay.of(store, InMemoryBroker.create().publisher())) {
        relay.drainNow();
      }

      assertThat(store.deadLetters().page(Filter.all(), 0, 10))
          .extracting(letter -> letter.reason() + " " + letter.error())
          .hasSize(1)
          .allMatch(text -> text.startsWith("UNREADABLE") && text.contains(reason));
    }
  }

  /** A statement that leaves out no topic would leave it out for ever. */
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_row_without_a_topic_is_buried(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).create();
      try (Connection connection = sandbox.open();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate("INSERT INTO outbox (lane, topic) VALUES (1, '')");
      }
      JdbcStore store = JdbcStore.create(sandbox.pool());

      try (ManualRelay relay = ManualRelay.of(store, InMemoryBroker.create().publisher())) {
        relay.drainNow();
      }

      assertThat(store.deadLetters().page(Filter.all(), 0, 10))
          .extracting(letter -> letter.reason() + " " + letter.error())
          .containsExactly("UNREADABLE topic is empty; give it a value of 1 to 255 characters");
    }
  }

  /** MariaDB takes one in any session, MySQL in one that is not strict. */
  @ParameterizedTest
  @CsvSource({
    "MYSQL, 'outbox (lane, topic, not_after)'",
    "MARIADB, 'outbox (lane, topic, not_after)'",
    "MARIADB, 'outbox_delayed (lane, topic, due_at)'"
  })
  void a_zero_date_is_none(Database database, String columns) throws Exception {
    InMemoryBroker broker = InMemoryBroker.create();
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).create();
      try (Connection connection = sandbox.open();
          Statement statement = connection.createStatement()) {
        statement.execute("SET SESSION sql_mode = ''");
        statement.executeUpdate("INSERT INTO outbox (lane, topic) VALUES (1, 'another')");
        statement.executeUpdate("INSERT INTO " + columns + " VALUES (1, 'zero', 0)");
      }

      try (ManualRelay relay =
          ManualRelay.of(JdbcStore.create(sandbox.pool()), broker.publisher())) {
        relay.drainNow();
      }

      assertThat(broker.topics()).containsExactlyInAnyOrder("zero", "another");
    }
  }

  private static Envelope published(JdbcStore store) {
    InMemoryBroker broker = InMemoryBroker.create();
    Resolver resolver =
        (references, claim) ->
            references.stream()
                .collect(
                    Collectors.toMap(
                        Function.identity(),
                        reference ->
                            new Payload(
                                "text/plain",
                                ("mail " + reference.id()).getBytes(StandardCharsets.UTF_8))));
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher().resolving(resolver))) {
      relay.drainNow();
    }
    assertThat(broker.count()).isEqualTo(1);
    return broker.messages().get(0).envelope();
  }

  private static String only(List<String> statements) {
    assertThat(statements).hasSize(1);
    return statements.get(0);
  }
}
