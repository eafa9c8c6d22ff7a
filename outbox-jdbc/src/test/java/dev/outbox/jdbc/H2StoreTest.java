package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import dev.outbox.tck.OutboxStoreContract;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class H2StoreTest extends OutboxStoreContract {
  private static final String LANE =
      """
      SELECT mod(CAST(X'00000000' || substring(hash('SHA256', CAST(? AS varchar), 1), 1, 4) AS bigint), ?)
      """;

  private static JdbcStores stores;

  @BeforeAll
  static void start() {
    stores = new JdbcStores(Database.H2, LANE);
  }

  @AfterAll
  static void stop() {
    stores.close();
  }

  @Override
  protected StoreEnvironment open(StoreSetting setting) throws SQLException {
    return stores.open(setting);
  }
}
