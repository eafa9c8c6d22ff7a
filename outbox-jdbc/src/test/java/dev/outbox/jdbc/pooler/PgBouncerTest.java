package dev.outbox.jdbc.pooler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.OutboxException.Finding;
import dev.outbox.OutboxException.Finding.Severity;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Usage;
import dev.outbox.spi.Usage.Role;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real PgBouncer between the store and PostgreSQL, in both modes, at rest and under load. */
@Order(2) // it mostly waits, so it begins early
class PgBouncerTest {
  private static final String BY_TRANSACTION = "pool_mode = transaction";
  private static final String BY_SESSION = "pool_mode = session";
  private static final int SESSIONS = 4;
  private static final String SIZE = "default_pool_size = " + SESSIONS;
  private static final Duration LEASE = Duration.ofSeconds(15);

  private Sandbox sandbox;

  @BeforeEach
  void open() {
    sandbox = Database.POSTGRES.sandbox();
    Schema.builder(sandbox.dataSource()).create();
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  private static Usage relay(int connections) {
    return new Usage(Role.RELAY, Claiming.LANES, connections, LEASE);
  }

  private static List<Finding> failures(JdbcStore store, Usage usage) {
    return store.examine(usage).stream()
        .filter(finding -> finding.severity() == Severity.FAILURE)
        .toList();
  }

  private static void assertRefused(List<Finding> failures) {
    assertThat(failures).extracting(Finding::code).containsOnly("sessions-shared");
    assertThat(failures.get(0).text()).contains("pool_mode = session");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void a_relay_is_refused_in_transaction_mode_at_rest(int connections) throws Exception {
    try (PgBouncer bouncer = PgBouncer.before(sandbox, BY_TRANSACTION, SIZE)) {
      JdbcStore store = JdbcStore.create(bouncer.pool(3));

      assertRefused(failures(store, relay(connections)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_relay_is_refused_in_transaction_mode_where_sessions_take_turns(int connections)
      throws Exception {
    try (PgBouncer bouncer =
        PgBouncer.before(sandbox, BY_TRANSACTION, SIZE, "server_round_robin = 1")) {
      Strangers.look(bouncer, SESSIONS);

      assertRefused(failures(JdbcStore.create(bouncer.pool(3)), relay(connections)));
    }
  }

  @Test
  void a_relay_is_refused_in_transaction_mode_where_its_driver_meets_statements_of_others()
      throws Exception {
    try (PgBouncer bouncer = PgBouncer.before(sandbox, BY_TRANSACTION, SIZE)) {
      assertThat(failures(JdbcStore.create(bouncer.preparingPool(3)), relay(1)))
          .extracting(Finding::code)
          .contains("sessions-shared");
    }
  }

  @Test
  void a_relay_is_refused_in_transaction_mode_under_load() throws Exception {
    try (PgBouncer bouncer = PgBouncer.before(sandbox, BY_TRANSACTION, SIZE);
        Strangers strangers = Strangers.busy(bouncer, 3 * SESSIONS)) {
      assertThat(strangers).isNotNull();
      JdbcStore store = JdbcStore.create(bouncer.pool(3));
      for (int round = 0; round < 20; round++) { // each may be lent what it had, by chance
        assertThat(failures(store, relay(1)))
            .extracting(Finding::code)
            .contains("sessions-shared")
            .isSubsetOf("sessions-shared", "limits-forced"); // others may set theirs in between
      }
    }
  }

  @Test
  void a_relay_is_accepted_in_session_mode_at_rest() throws Exception {
    try (PgBouncer bouncer = PgBouncer.before(sandbox, BY_SESSION, SIZE)) {
      JdbcStore store = JdbcStore.create(bouncer.preparingPool(2));

      assertThat(failures(store, relay(1))).isEmpty();
      assertThat(failures(store, relay(2))).isEmpty();
      try (LaneStore lanes = store.lanes("r", LEASE)) {
        assertThat(lanes.claim(32, Set.of())).hasSize(32);
      }
      assertUntouched(Strangers.look(bouncer, SESSIONS - 2));
    }
  }

  @Test
  void a_relay_is_accepted_in_session_mode_under_load() throws Exception {
    try (PgBouncer bouncer = PgBouncer.before(sandbox, BY_SESSION, "default_pool_size = 20");
        Strangers strangers = Strangers.busy(bouncer, 8)) {
      assertThat(strangers).isNotNull();
      assertThat(failures(JdbcStore.create(bouncer.preparingPool(2)), relay(1))).isEmpty();
    }
  }

  @Test
  void a_pool_of_one_behind_a_pooler_is_told_to_give_two() throws Exception {
    try (PgBouncer bouncer = PgBouncer.before(sandbox, BY_SESSION, SIZE)) {
      List<Finding> failures = failures(JdbcStore.create(bouncer.preparingPool(1)), relay(1));

      assertThat(failures).extracting(Finding::code).containsOnly("pool-too-small");
      assertThat(failures.get(0).text()).contains("there is a pooler before the server");
    }
  }

  @Test
  void a_pooler_with_one_session_is_told_to_give_two_within_a_bound() throws Exception {
    try (PgBouncer bouncer = PgBouncer.before(sandbox, BY_SESSION, "default_pool_size = 1")) {
      List<Finding> failures = failures(JdbcStore.create(bouncer.preparingPool(2)), relay(1));

      assertThat(failures).extracting(Finding::code).containsOnly("pool-too-small");
    }
  }

  @Test
  void no_session_of_a_stranger_keeps_what_the_store_sets() throws Exception {
    sandboxDefault("default_transaction_isolation = 'repeatable read'");
    try (PgBouncer bouncer =
        PgBouncer.before(sandbox, BY_TRANSACTION, SIZE, "server_round_robin = 1")) {
      Strangers.look(bouncer, SESSIONS);
      JdbcStore store = JdbcStore.create(bouncer.pool(3));
      DeadLetters dead = DeadLetters.create(store);
      for (int i = 0; i < SESSIONS; i++) {
        store.now();
        store.snapshot(10);
        dead.count(Filter.all(), 10);
        store.examine(relay(2));
        store.examine(new Usage(Role.WRITER, Claiming.LANES, 1, LEASE));
        try (LaneStore lanes = store.lanes("r", LEASE)) {
          lanes.claim(32, Set.of());
        }
      }

      assertUntouched(Strangers.look(bouncer, SESSIONS));
    }
  }

  /** As in a session that nobody but the server has set. */
  private void assertUntouched(List<Strangers.Found> found) throws SQLException {
    try (Connection direct = sandbox.open()) {
      List<String> own = Strangers.look(direct).settings();
      assertThat(found).extracting(Strangers.Found::session).doesNotHaveDuplicates();
      assertThat(found).extracting(Strangers.Found::settings).containsOnly(own);
    }
  }

  private void sandboxDefault(String setting) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER DATABASE " + sandbox.name() + " SET " + setting);
    }
  }
}
