package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.StoreException;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pool with one connection, whose schema the application changed and did not change back. */
class ChangedSchemaTest {
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_relay_does_not_look_for_its_tables_there(Database database) throws SQLException {
    try (Sandbox sandbox = database.sandbox();
        LaneStore lanes = lanesOfAChangedPool(sandbox, database)) {
      assertRefused(lanes);
    }
  }

  // H2's driver cannot end a connection for its pool
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void it_goes_on_with_another_connection(Database database) throws SQLException {
    try (Sandbox sandbox = database.sandbox();
        LaneStore lanes = lanesOfAChangedPool(sandbox, database)) {
      assertRefused(lanes);

      assertThat(lanes.claim(1, Set.of())).hasSize(1);
    }
  }

  private static void assertRefused(LaneStore lanes) {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> lanes.claim(1, Set.of()))
        .withMessageContaining("schema(..)")
        .matches(StoreException::isTransient, "may pass");
  }

  private static LaneStore lanesOfAChangedPool(Sandbox sandbox, Database database)
      throws SQLException {
    DataSource pool = sandbox.pool(1);
    Schema.builder(pool).create();
    JdbcStore store = JdbcStore.create(pool);
    changeSchema(pool, database);
    return store.lanes("relay", Duration.ofSeconds(15));
  }

  private static void changeSchema(DataSource pool, Database database) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          switch (database) {
            case POSTGRES -> "SET search_path = pg_catalog";
            case H2 -> "SET SCHEMA INFORMATION_SCHEMA";
            default -> "USE information_schema";
          });
    }
  }
}
