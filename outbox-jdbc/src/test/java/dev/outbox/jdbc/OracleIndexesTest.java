package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.jdbc.internal.schema.Ddl;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Without a schema Oracle makes an index in that of the user, not in that of the table. */
final class OracleIndexesTest {
  @Test
  void an_index_is_made_in_the_schema_of_its_table() throws SQLException {
    try (Sandbox sandbox = Database.H2_ORACLE.sandbox()) {
      OracleStores.run(sandbox.pool(), OracleStores.ALIASES);
      for (String tenant : List.of("t1", "t2")) {
        OracleStores.run(sandbox.pool(), List.of("CREATE SCHEMA " + tenant));
        Schema schema =
            Schema.builder(sandbox.pool())
                .dialect(new OracleDialect())
                .schema(tenant)
                .with(Schema.Part.RECEIPT)
                .build();
        assertQualified(schema.ddl(), tenant);
        OracleStores.createOnH2(sandbox.pool(), schema);
        assertThat(schema.verify()).isEmpty();
        schema.create();
      }
    }
    Tables tables = Tables.of("t1", "outbox", 128);
    assertQualified(Ddl.upgrade(new OracleDialect(), tables, 2).text(), "t1");
  }

  private static void assertQualified(String ddl, String schema) {
    assertThat(ddl)
        .contains("CREATE INDEX " + schema + ".outbox_parked_heads ON " + schema + ".outbox_parked")
        .doesNotContain("CREATE INDEX outbox_");
  }
}
