package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.message.Reference;
import dev.outbox.publish.Resolver;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Columns of rarer types, in payloads by reference. */
class ReferencedColumnsTest {
  private static void execute(Sandbox sandbox, String... statements) throws Exception {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  private static String json(Sandbox sandbox, String... columns) throws Exception {
    Resolver resolver =
        TableResolver.builder(sandbox.dataSource()).object("shifts", "id", columns).build();
    Reference reference = new Reference("shifts", "1");
    return resolver.resolve(Set.of(reference), null).get(reference).text();
  }

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void a_time_of_more_than_a_day_and_a_year_are_as_the_database_says(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      execute(
          sandbox,
          "CREATE TABLE shifts (id bigint PRIMARY KEY, starts time, length time, since year, until year)",
          "INSERT INTO shifts VALUES (1, '10:00:00', '25:00:00', 2026, NULL)");
      assertThat(json(sandbox, "starts", "length", "since", "until"))
          .isEqualTo(
              "{\"starts\":\"10:00:00\",\"length\":\"25:00:00\",\"since\":2026,\"until\":null}");
    }
  }

  @Test
  void a_time_with_a_zone_and_the_end_of_a_day_are_as_the_database_says() throws Exception {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      execute(
          sandbox,
          "CREATE TABLE shifts (id bigint PRIMARY KEY, starts timetz, ends time)",
          "INSERT INTO shifts VALUES (1, '10:00:00+02', '24:00:00')");
      assertThat(json(sandbox, "starts", "ends"))
          .isEqualTo("{\"starts\":\"10:00:00+02\",\"ends\":\"24:00:00\"}");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_floating_number_of_few_digits_gets_no_more(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      execute(
          sandbox,
          "CREATE TABLE shifts (id bigint PRIMARY KEY, short real, sized float(24), long_one double precision, large float(53))",
          "INSERT INTO shifts VALUES (1, 0.1, 0.1, 0.1, 0.1)");
      assertThat(json(sandbox, "short", "sized", "long_one", "large"))
          .isEqualTo("{\"short\":0.1,\"sized\":0.1,\"long_one\":0.1,\"large\":0.1}");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void one_bit_is_a_boolean_and_several_are_refused(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      execute(
          sandbox,
          "CREATE TABLE shifts (id bigint PRIMARY KEY, paid bit(1), days bit(7))",
          "INSERT INTO shifts VALUES (1, B'1', B'0000101')");
      assertThat(json(sandbox, "paid")).isEqualTo("{\"paid\":true}");
      assertThatThrownBy(() -> json(sandbox, "days"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("column days of table shifts is of type")
          .hasMessageContaining("cannot be written as JSON");
    }
  }
}
