package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * With {@code useAffectedRows} a driver counts the rows that changed, not those that were found.
 */
final class AffectedRowsTest {
  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void a_lane_whose_row_says_so_already_is_not_taken_for_another_relays(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox();
        HikariDataSource pool = pool(sandbox)) {
      Schema.builder(pool).create();
      try (LaneStore lanes = JdbcStore.create(pool).lanes("relay", Duration.ofSeconds(15))) {
        Lease lease = lanes.claim(1).get(0).lease();
        assertThat(lanes.suspect(lease, gone(lease))).isTrue();
        run(sandbox, "UPDATE outbox_lane SET suspect_id = 7, suspect_count = 2");
        assertThat(lanes.restoreSuspect(lease, new Suspect(7, 2))).isTrue();
      }
    }
  }

  private static StoredEnvelope gone(Lease lease) {
    Payload payload = new Payload("text/plain", new byte[0]);
    Envelope envelope = new Envelope(MessageId.next(), "t", null, Map.of(), payload, null);
    return StoredEnvelope.ready(7, lease.lane(), envelope);
  }

  private static void run(Sandbox sandbox, String sql) throws Exception {
    try (var connection = sandbox.open();
        var statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private static HikariDataSource pool(Sandbox sandbox) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        sandbox.url() + (sandbox.url().contains("?") ? "&" : "?") + "useAffectedRows=true");
    config.setUsername(sandbox.user());
    config.setPassword(sandbox.password());
    return new HikariDataSource(config);
  }
}
