package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import dev.outbox.tck.OutboxStoreContract;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(value = "the deadlock count of a server", mode = ResourceAccessMode.READ)
final class PostgresStoreTest extends OutboxStoreContract {
  private static final String LANE =
      """
      SELECT ('x' || substr(encode(sha256(convert_to(?, 'UTF8')), 'hex'), 1, 8))::bit(32)::bigint % ?
      """;

  private static JdbcStores stores;

  @BeforeAll
  static void start() {
    stores = new JdbcStores(Database.POSTGRES, LANE);
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
