package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import dev.outbox.tck.OutboxStoreContract;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** Oracle on a server, wherever there is one. */
final class OracleStoreTest extends OutboxStoreContract {
  private static @Nullable OracleStores stores;

  @BeforeAll
  static void start() throws SQLException {
    Optional<String> whyNot = Database.ORACLE.whyNot();
    whyNot.ifPresent(reason -> System.out.println("Oracle: not run on a server: " + reason));
    Assumptions.assumeTrue(whyNot.isEmpty(), () -> "not run on a server: " + whyNot.orElse(""));
    stores = new OracleStores(Database.ORACLE);
    System.out.println("Oracle: run on " + Database.ORACLE.server().version());
  }

  @AfterAll
  static void stop() {
    if (stores != null) {
      stores.close();
    }
  }

  @Override
  protected StoreEnvironment open(StoreSetting setting) throws SQLException {
    return stores.open(setting);
  }
}
