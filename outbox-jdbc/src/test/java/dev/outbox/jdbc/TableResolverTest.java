package dev.outbox.jdbc;

import static dev.outbox.jdbc.ReferencedTables.execute;
import static dev.outbox.jdbc.ReferencedTables.mail;
import static dev.outbox.jdbc.ReferencedTables.sandbox;
import static dev.outbox.jdbc.ReferencedTables.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import dev.outbox.publish.Resolver;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What rows of the application's own tables become, on every database. */
class TableResolverTest {
  private static final UUID SOME = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void one_column_is_written_as_it_is_and_what_is_missing_is_left_out(Database database)
      throws Exception {
    try (Sandbox sandbox = sandbox(database)) {
      mail(sandbox, 1, "Gr\u00fc\u00dfe \uD83D\uDE80", new byte[] {0, (byte) 200});
      mail(sandbox, 2, "", new byte[0]);
      mail(sandbox, 3, null, null);
      Set<Reference> asked =
          Set.of(mail("1"), mail("01"), mail("2"), mail("3"), mail("4"), mail("x' OR 1=1 --"));

      Resolver body =
          TableResolver.builder(sandbox.pool()).column("mail_deliveries", "id", "body").build();
      Map<Reference, Payload> found = body.resolve(asked, null);

      assertThat(texts(found))
          .isEqualTo(
              Map.of(
                  mail("1"),
                  "Gr\u00fc\u00dfe \uD83D\uDE80",
                  mail("01"),
                  "Gr\u00fc\u00dfe \uD83D\uDE80",
                  mail("2"),
                  ""));
      assertThat(found.get(mail("1")).contentType()).isEqualTo("text/plain; charset=utf-8");

      Resolver raw =
          TableResolver.builder(sandbox.pool())
              .column("mail_deliveries", "id", "raw", "application/pdf")
              .build();
      Payload bytes = raw.resolve(Set.of(mail("1")), null).get(mail("1"));

      assertThat(bytes.bytes()).isEqualTo(new byte[] {0, (byte) 200});
      assertThat(bytes.contentType()).isEqualTo("application/pdf");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void several_columns_are_a_json_object(Database database) throws Exception {
    ReferencedTables.Types types = ReferencedTables.Types.of(database);
    try (Sandbox sandbox = sandbox(database)) {
      String json = database == Database.H2 ? "JSON '{\"a\":1}'" : "'{\"a\":1}'";
      execute(
          sandbox,
          ("CREATE TABLE orders (id varchar(40) PRIMARY KEY, customer varchar(50), total decimal(10,2),"
                  + " pieces int, paid boolean, ratio double precision, placed %s, due_day date, extra %s)")
              .formatted(types.moment(), types.json()),
          "INSERT INTO orders VALUES ('A-1', 'say \"hi\"', 7.50, 3, true, 0.5, '2026-03-01 10:00:00', '2026-03-01', "
              + json
              + ")",
          "INSERT INTO orders (id) VALUES ('A-2')");
      Resolver resolver =
          TableResolver.builder(sandbox.pool())
              .object(
                  "orders",
                  "id",
                  "customer",
                  "total",
                  "pieces",
                  "paid",
                  "ratio",
                  "due_day",
                  "extra",
                  "placed")
              .build();
      Reference full = new Reference("orders", "A-1");
      Reference bare = new Reference("orders", "A-2");

      Map<Reference, Payload> found =
          resolver.resolve(Set.of(full, bare, new Reference("orders", "a-1")), null);

      assertThat(found.get(full).contentType()).isEqualTo("application/json");
      String extra = database == Database.MARIADB ? "\"{\\\"a\\\":1}\"" : "{\"a\":1}";
      assertThat(found.get(full).text().replace(": ", ":"))
          .matches(
              Pattern.quote(
                      "{\"customer\":\"say \\\"hi\\\"\",\"total\":7.50,\"pieces\":3,\"paid\":true,"
                          + "\"ratio\":0.5,\"due_day\":\"2026-03-01\",\"extra\":"
                          + extra)
                  + ",\"placed\":\"2026-0[23]-[0-9]{2}T[0-9]{2}:00(:00Z)?\"}");
      assertThat(found.get(bare).text())
          .isEqualTo(
              "{\"customer\":null,\"total\":null,\"pieces\":null,\"paid\":null,\"ratio\":null,\"due_day\":null,"
                  + "\"extra\":null,\"placed\":null}");
      assertThat(found).hasSize(2);
    }
  }

  /** JSON has no such number. */
  @Test
  void a_decimal_that_is_not_finite_is_text_as_a_floating_one_is() throws Exception {
    try (Sandbox sandbox = sandbox(Database.POSTGRES)) {
      execute(
          sandbox,
          "CREATE TABLE rates (id bigint PRIMARY KEY, rate numeric, ratio double precision)",
          "INSERT INTO rates VALUES (1, 'NaN', 'NaN'), (2, 0.10, 0.5), (3, NULL, NULL)");
      Resolver resolver =
          TableResolver.builder(sandbox.dataSource())
              .object("rates", "id", "rate", "ratio")
              .build();
      Reference strange = new Reference("rates", "1");
      Reference plain = new Reference("rates", "2");
      Reference none = new Reference("rates", "3");

      assertThat(texts(resolver.resolve(Set.of(strange, plain, none), null)))
          .containsEntry(strange, "{\"rate\":\"NaN\",\"ratio\":\"NaN\"}")
          .containsEntry(plain, "{\"rate\":0.10,\"ratio\":0.5}")
          .containsEntry(none, "{\"rate\":null,\"ratio\":null}");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void ids_are_numbers_texts_and_uuids(Database database) throws Exception {
    ReferencedTables.Types types = ReferencedTables.Types.of(database);
    try (Sandbox sandbox = sandbox(database)) {
      execute(
          sandbox,
          "CREATE TABLE by_uuid (id %s PRIMARY KEY, body varchar(50))".formatted(types.uuid()),
          "CREATE TABLE by_decimal (id decimal(20) PRIMARY KEY, body varchar(50))",
          "CREATE TABLE by_char (id char(40) PRIMARY KEY, body varchar(50))",
          "INSERT INTO by_decimal VALUES (12345678901234567890, 'decimal')",
          "INSERT INTO by_char VALUES ('short', 'char')");
      try (Connection connection = sandbox.open();
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO by_uuid VALUES (?, 'uuid')")) {
        if (database == Database.MYSQL) {
          insert.setBytes(1, new MessageId(SOME).toBytes());
        } else {
          insert.setObject(1, SOME);
        }
        insert.executeUpdate();
      }
      Resolver resolver =
          TableResolver.builder(sandbox.pool())
              .column("by_uuid", "id", "body")
              .column("by_decimal", "id", "body")
              .column("by_char", "id", "body")
              .build();
      Reference uuid = new Reference("by_uuid", SOME.toString());
      Reference decimal = new Reference("by_decimal", "12345678901234567890");
      Reference padded = new Reference("by_char", "short");

      Map<Reference, Payload> found =
          resolver.resolve(
              Set.of(
                  uuid,
                  decimal,
                  padded,
                  new Reference("by_uuid", "no uuid"),
                  new Reference("by_decimal", "1.5")),
              null);

      assertThat(texts(found)).isEqualTo(Map.of(uuid, "uuid", decimal, "decimal", padded, "char"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void ids_without_a_sign_go_beyond_those_of_java_and_by_the_index(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      execute(
          sandbox,
          "CREATE TABLE large (id bigint unsigned PRIMARY KEY, body varchar(50))",
          "INSERT INTO large VALUES (1, 'small'), (9223372036854775808, 'large'), (18446744073709551615, 'last')",
          "CREATE TABLE medium (id int unsigned PRIMARY KEY, body varchar(50))",
          "INSERT INTO medium VALUES (4294967295, 'medium')");
      Resolver resolver =
          TableResolver.builder(sandbox.pool())
              .column("large", "id", "body")
              .object("medium", "id", "body", "id")
              .build();
      Reference small = new Reference("large", "1");
      Reference large = new Reference("large", "9223372036854775808");
      Reference last = new Reference("large", "18446744073709551615");
      Reference medium = new Reference("medium", "4294967295");

      Map<Reference, Payload> found =
          resolver.resolve(
              Set.of(
                  small,
                  large,
                  last,
                  medium,
                  new Reference("large", "18446744073709551616"),
                  new Reference("large", "-1")),
              null);

      assertThat(texts(found))
          .isEqualTo(
              Map.of(
                  small,
                  "small",
                  large,
                  "large",
                  last,
                  "last",
                  medium,
                  "{\"body\":\"medium\",\"id\":4294967295}"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void more_than_fit_into_one_statement_are_all_found(Database database) throws Exception {
    try (Sandbox sandbox = sandbox(database)) {
      Set<Reference> asked = new HashSet<>();
      try (Connection connection = sandbox.open();
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO mail_deliveries (id, body) VALUES (?, ?)")) {
        for (int id = 1; id <= 1201; id++) {
          insert.setLong(1, id);
          insert.setString(2, "mail " + id);
          insert.addBatch();
          asked.add(mail(Integer.toString(id)));
        }
        insert.executeBatch();
      }
      Resolver resolver =
          TableResolver.builder(sandbox.pool()).column("mail_deliveries", "id", "body").build();
      Map<Reference, Payload> found = resolver.resolve(asked, null);

      assertThat(found).hasSize(1201);
      found.forEach(
          (reference, payload) -> assertThat(payload.text()).isEqualTo("mail " + reference.id()));
    }
  }
}
