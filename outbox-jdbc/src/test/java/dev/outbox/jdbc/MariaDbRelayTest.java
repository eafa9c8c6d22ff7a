package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import dev.outbox.tck.RelayContract;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@ContractServer.OfMariaDb
final class MariaDbRelayTest extends RelayContract {
  private static JdbcStores stores;

  @BeforeAll
  static void start() {
    stores = ContractServer.stores(Database.MARIADB, "");
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
