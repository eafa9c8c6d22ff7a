package dev.outbox.jdbc;

import static dev.outbox.jdbc.ReferencedTables.execute;
import static dev.outbox.jdbc.ReferencedTables.mail;
import static dev.outbox.jdbc.ReferencedTables.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.message.Reference;
import dev.outbox.publish.Ack;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables that a resolver does not read, and those that it cannot read now. */
class TableResolverRefusalsTest {
  @Test
  void names_what_is_null() throws Exception {
    try (Sandbox sandbox = sandbox(Database.H2)) {
      TableResolver.Builder builder = TableResolver.builder(sandbox.pool());

      assertThatThrownBy(() -> builder.column(null, "id", "body")).hasMessage("table");
      assertThatThrownBy(() -> builder.column("t", null, "body")).hasMessage("id");
      assertThatThrownBy(() -> builder.column("t", "id", null)).hasMessage("column");
      assertThatThrownBy(() -> builder.object("t", "id", (String[]) null)).hasMessage("columns");
      assertThatThrownBy(() -> builder.object("t", "id", "a", null)).hasMessage("column");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void what_is_not_allowed_or_not_there_is_refused(Database database) throws Exception {
    try (Sandbox sandbox = sandbox(database)) {
      TableResolver resolver =
          TableResolver.builder(sandbox.pool()).column("mail_deliveries", "id", "body").build();

      assertThat(resolver.knows("mail_deliveries")).isTrue();
      assertThat(resolver.knows("users")).isFalse();
      assertThatThrownBy(() -> resolver.resolve(Set.of(new Reference("users", "1")), null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("table users is not allowed; this resolver knows [mail_deliveries]");
      assertThatThrownBy(
              () ->
                  TableResolver.builder(sandbox.pool())
                      .column("no_such_table", "id", "body")
                      .build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("table no_such_table with the columns id and [body] cannot");
      assertThatThrownBy(
              () ->
                  TableResolver.builder(sandbox.pool())
                      .column("mail_deliveries", "id", "id")
                      .build())
          .hasMessageContaining("which cannot be written as bytes or text");
      assertThatThrownBy(
              () ->
                  TableResolver.builder(sandbox.pool())
                      .column("mail_deliveries", "raw", "body")
                      .build())
          .hasMessageContaining("an id is a number, a text, a UUID");
    }
  }

  /** H2 keeps names in upper case: as they were given, not even the schema is there. */
  @Test
  void a_misspelt_column_is_told_and_not_only_that_its_schema_is_written_otherwise()
      throws SQLException {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      execute(sandbox, "CREATE TABLE mails (id int PRIMARY KEY, body varchar(20))");
      assertThatThrownBy(
              () ->
                  TableResolver.builder(sandbox.dataSource())
                      .column("public.mails", "id", "bdy")
                      .build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Schema \"public\" not found")
          .hasMessageContaining("Column \"BDY\" not found");
    }
  }

  /** Somebody alters the table, or the server cuts a statement short. */
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void a_lock_or_a_time_limit_on_the_table_is_no_fault_of_a_message(Database database)
      throws Exception {
    try (Sandbox sandbox = sandbox(database);
        Connection altering = sandbox.open();
        Statement lock = altering.createStatement()) {
      mail(sandbox, 1, "one", null);
      for (String limit : limits(database)) {
        AtomicBoolean isLocked = new AtomicBoolean();
        TableResolver resolver =
            TableResolver.builder(limited(sandbox, limit, isLocked))
                .column("mail_deliveries", "id", "body")
                .build();
        altering.setAutoCommit(false);
        lock.execute(
            database == Database.POSTGRES
                ? "LOCK TABLE mail_deliveries IN ACCESS EXCLUSIVE MODE"
                : "LOCK TABLES mail_deliveries WRITE");
        isLocked.set(true);

        assertThatThrownBy(() -> resolver.resolve(Set.of(mail("1")), null))
            .as(limit)
            .satisfies(
                thrown ->
                    assertThat(resolver.failure(new IllegalStateException(thrown)))
                        .as("%s", thrown)
                        .isInstanceOf(Ack.Unavailable.class));

        isLocked.set(false);
        altering.rollback();
        if (database != Database.POSTGRES) {
          lock.execute("UNLOCK TABLES");
        }
        assertThat(resolver.resolve(Set.of(mail("1")), null)).hasSize(1);
      }
    }
  }

  private static List<String> limits(Database database) {
    return database == Database.POSTGRES
        ? List.of("SET lock_timeout = 100", "SET statement_timeout = 100")
        : List.of("SET lock_wait_timeout = 1");
  }

  /** With so short a limit while the table is locked, that it ends nothing else. */
  private static DataSource limited(Sandbox sandbox, String limit, AtomicBoolean isLocked) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              Connection connection = sandbox.open();
              if (isLocked.get()) {
                try (Statement statement = connection.createStatement()) {
                  statement.execute(limit);
                }
              }
              return connection;
            });
  }

  @Test
  void every_database_has_codes_for_what_may_pass() throws Exception {
    try (Sandbox sandbox = sandbox(Database.H2)) {
      TableResolver resolver =
          TableResolver.builder(sandbox.pool()).column("mail_deliveries", "id", "body").build();

      assertThat(resolver.failure(new SQLException("cancelled", "57014", 57014)))
          .isInstanceOf(Ack.Unavailable.class);
      assertThat(resolver.failure(new SQLException("lock", "HYT00", 50200)))
          .isInstanceOf(Ack.Unavailable.class);
      assertThat(resolver.failure(new SQLException("no grant", "90096", 90096)))
          .isInstanceOf(Ack.Failed.class);
      assertThat(resolver.failure(new SQLException("no table", "42102", 42102)))
          .isInstanceOf(Ack.Failed.class);
    }
    for (int code : List.of(1013, 54, 30006)) {
      assertThat(
              Faults.behind(new SQLException("ORA-" + code, "72000", code), new OracleDialect())
                  .mayPass())
          .isTrue();
    }
  }
}
