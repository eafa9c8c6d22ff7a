package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.PostgresWakeup;
import dev.outbox.servers.Database;
import dev.outbox.spi.Usage;
import dev.outbox.spi.Usage.Role;
import dev.outbox.spi.Wakeup;
import dev.outbox.spi.lane.Lane;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What the doctor says of pools from which a relay also listens. */
@ResourceLock("threads that listen and tell")
class ListeningDoctorTest {
  private static final Usage ONE_LOOP =
      new Usage(Role.RELAY, Claiming.LANES, 1, Duration.ofSeconds(15));

  private static final Wakeup.Listener DEAF =
      new Wakeup.Listener() {
        @Override
        public void woken(Set<Lane> lanes) {}

        @Override
        public void hinted(Set<Lane> lanes) {}
      };

  private final Clinic clinic = new Clinic(Database.POSTGRES);

  @AfterEach
  void close() throws SQLException {
    clinic.close();
  }

  @Test
  void a_pool_without_a_connection_to_listen_on_is_reported() {
    DataSource pool = clinic.sandbox().pool(1);
    try (PostgresWakeup wakeup = PostgresWakeup.create(pool)) {
      JdbcStore store = JdbcStore.builder(pool).wakeup(wakeup).build();

      DoctorCases.assertFailure(
          store.examine(ONE_LOOP), "pool-too-small", "needs 2 connections", "lent 1");
      assertThat(store.examine(Clinic.need(Role.OPERATOR))).isEmpty();
    }
  }

  @Test
  void who_listens_already_or_elsewhere_needs_no_more_connections() {
    DataSource pool = clinic.sandbox().pool(2);
    try (PostgresWakeup shared = PostgresWakeup.create(pool);
        PostgresWakeup elsewhere = PostgresWakeup.create(clinic.sandbox().pool(1))) {
      JdbcStore store = JdbcStore.builder(pool).wakeup(shared).build();
      try (Wakeup.Subscription listening = store.wakeup().subscribe(DEAF)) {
        assertThat(listening).isNotNull();
        assertThat(store.examine(ONE_LOOP)).isEmpty();
      }
      DoctorCases.assertOnly(
          JdbcStore.builder(clinic.sandbox().pool(1)).wakeup(elsewhere).build().examine(ONE_LOOP),
          "pool-emptied");
    }
  }
}
