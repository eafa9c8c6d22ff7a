package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import dev.outbox.tck.OutboxStoreContract;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@ContractServer.OfMariaDb
final class MariaDbStoreTest extends OutboxStoreContract {
  private static final String LANE =
      """
      SELECT conv(substr(sha2(?, 256), 1, 8), 16, 10) % ?
      """;

  private static JdbcStores stores;

  @BeforeAll
  static void start() {
    stores = ContractServer.stores(Database.MARIADB, LANE);
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
