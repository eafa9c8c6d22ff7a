package dev.outbox.cli;

import dev.outbox.servers.Database;
import org.junit.jupiter.api.Tag;

@Tag("proof")
class PostgresWatchTest extends WatchTest {
  @Override
  Database database() {
    return Database.POSTGRES;
  }
}
