package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Claiming;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.H2Dialect;
import dev.outbox.jdbc.dialect.MariaDbDialect;
import dev.outbox.jdbc.dialect.MySqlDialect;
import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.jdbc.dialect.PostgresDialect;
import dev.outbox.jdbc.internal.schema.Ddl;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.Layout;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the DDL says of columns is compared, also where a database calls the types otherwise. */
final class SchemaColumnsTest {
  private static final Tables BARE = Tables.of("bare", "outbox", 63);

  @Test
  void the_same_columns_are_looked_for_on_each_database() throws SQLException {
    List<String> missing = missing(new H2Dialect(), Database.H2);
    assertThat(missing).hasSizeGreaterThan(90);
    assertThat(missing(new PostgresDialect(), Database.POSTGRES)).isEqualTo(missing);
    assertThat(missing(new MySqlDialect(), Database.H2)).isEqualTo(missing);
    assertThat(missing(new MariaDbDialect(), Database.H2)).isEqualTo(missing);
    assertThat(missing(new OracleDialect(), Database.H2)).isEqualTo(missing);
  }

  /** Where each table is there, with another column. */
  private static List<String> missing(Dialect dialect, Database database) throws SQLException {
    Ddl ddl = Ddl.of(dialect, BARE, new Layout(3, 32, Claiming.LANES), List.of("ARCHIVE"));
    try (Sandbox sandbox = database.sandbox()) {
      OracleStores.run(sandbox.pool(), List.of("CREATE SCHEMA bare"));
      for (String table : ddl.tableNames()) {
        OracleStores.run(sandbox.pool(), List.of("CREATE TABLE %s (another int)".formatted(table)));
      }
      Stream<String> findings = ddl.verify(sandbox.pool()).stream();
      return findings.filter(finding -> finding.startsWith("column ")).sorted().toList();
    }
  }

  @Test
  void on_oracle_what_is_missing_or_too_short_is_named_and_refused() throws SQLException {
    try (Sandbox sandbox = Database.H2_ORACLE.sandbox()) {
      OracleStores.run(sandbox.pool(), OracleStores.ALIASES);
      Schema schema = Schema.builder(sandbox.pool()).dialect(new OracleDialect()).build();
      OracleStores.createOnH2(sandbox.pool(), schema);
      assertThat(schema.verify()).isEmpty();
      OracleStores.run(
          sandbox.pool(),
          List.of(
              "ALTER TABLE outbox_parked DROP COLUMN history",
              "ALTER TABLE outbox ALTER COLUMN content_type VARCHAR2(20 CHAR) NOT NULL",
              "ALTER TABLE outbox_lane ALTER COLUMN lease_until TIMESTAMP(0)"));
      assertThat(schema.verify())
          .containsExactlyInAnyOrder(
              "column outbox_parked.history is missing",
              "column outbox.content_type holds 20 characters, it must hold 255",
              "column outbox_lane.lease_until keeps 0 decimals of a second, it must keep 6");
      assertThatThrownBy(schema::create)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("outbox_parked.history is missing");
    }
  }
}
