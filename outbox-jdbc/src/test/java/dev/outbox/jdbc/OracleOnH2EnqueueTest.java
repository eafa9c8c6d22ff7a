package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import dev.outbox.tck.EnqueueContract;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Oracle's statements, word for word, on H2: not a proof that Oracle accepts them. */
final class OracleOnH2EnqueueTest extends EnqueueContract {
  private static OracleStores stores;

  @BeforeAll
  static void start() throws SQLException {
    stores = new OracleStores(Database.H2_ORACLE);
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
