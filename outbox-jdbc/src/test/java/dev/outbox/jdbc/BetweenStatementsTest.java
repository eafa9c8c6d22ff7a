package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Claiming;
import dev.outbox.Messages;
import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Between two statements of a relay a row may become another message, unless the relay holds it.
 */
class BetweenStatementsTest {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final int LIGHT = 1024;
  private static final List<LaneStore.Cursor> ONE =
      List.of(new LaneStore.Cursor(new Lane(0), 0, 1));

  private Sandbox sandbox;
  private DataSource plain;

  private void open(Database database, Claiming claiming) {
    sandbox = database.sandbox();
    plain = sandbox.pool();
    Schema.builder(plain).lanes(1).claiming(claiming).create();
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  private interface Deed {
    void happen() throws Exception;
  }

  /** The store of a relay, in which {@code deed} happens once, before a statement like that. */
  private JdbcStore storeWith(Predicate<String> statement, Deed deed) {
    AtomicBoolean due = new AtomicBoolean(true);
    return JdbcStore.create(
        new TamperedDataSource(
            plain,
            (connection, method, arguments) -> {
              boolean before =
                  method.getName().equals("prepareStatement")
                      && statement.test((String) arguments[0])
                      && due.getAndSet(false);
              if (before) {
                deed.happen();
              }
              return TamperedDataSource.passed(connection, method, arguments);
            }));
  }

  private void run(String... statements) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Another session cannot do this now: it would have to wait for the relay. */
  private void assertWaits(String sql) {
    assertThatThrownBy(() -> run(shortWaits(), sql))
        .as(sql)
        .isInstanceOf(SQLException.class)
        .hasMessageMatching("(?is).*\\block.*");
  }

  private String shortWaits() {
    return switch (sandbox.server().database()) {
      case POSTGRES -> "SET lock_timeout = '200ms'";
      case MYSQL, MARIADB -> "SET innodb_lock_wait_timeout = 1, lock_wait_timeout = 1";
      default -> "SET LOCK_TIMEOUT 200";
    };
  }

  private List<MessageId> enqueue(Message... messages) throws SQLException {
    Outbox outbox = Outbox.create(JdbcStore.create(plain));
    return Transactions.call(
        plain, outbox, connection -> outbox.enqueue(connection, List.of(messages)));
  }

  private static Message heavy(String text) {
    return Message.to("t").text(text.repeat(10 * LIGHT));
  }

  private static Message delayed(String text) {
    return Message.to("t").deliverAfter(Duration.ofHours(1)).text(text);
  }

  private static List<String> beginnings(List<StoredEnvelope> messages) {
    return messages.stream()
        .map(storedEnvelope -> storedEnvelope.envelope().payload().text().substring(0, 1))
        .toList();
  }

  private static boolean fetchesBodies(String sql) {
    return sql.contains("SELECT o.lane, o.id, o.payload, o.headers");
  }

  private static boolean promotes(String sql) {
    return sql.contains("INSERT INTO") && sql.contains("outbox_delayed");
  }

  /** The first of two messages is gone, and its id is given to the second. */
  private void giveFirstIdToSecond(String table, List<Long> ids) throws SQLException {
    run(
        "DELETE FROM %s WHERE id = %d".formatted(table, ids.get(0)),
        "UPDATE %s SET id = %d WHERE id = %d".formatted(table, ids.get(0), ids.get(1)));
  }

  private List<StoredEnvelope> twoHeavyOnes() throws SQLException {
    enqueue(heavy("a"), heavy("b"));
    try (LaneStore lanes = JdbcStore.create(plain).lanes("other", LEASE)) {
      return lanes.read(List.of(new LaneStore.Cursor(new Lane(0), 0, 2)), 1 << 20);
    }
  }

  private static List<Long> ids(List<StoredEnvelope> messages) {
    return messages.stream().map(StoredEnvelope::id).toList();
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void no_ready_message_gets_the_body_of_another(Database database) throws Exception {
    open(database, Claiming.LANES);
    List<StoredEnvelope> before = twoHeavyOnes();
    JdbcStore store =
        storeWith(
            BetweenStatementsTest::fetchesBodies, () -> giveFirstIdToSecond("outbox", ids(before)));
    try (LaneStore lanes = store.lanes("relay", LEASE)) {
      assertThat(lanes.read(ONE, LIGHT)).isEmpty();
      List<StoredEnvelope> after = lanes.read(ONE, LIGHT);
      assertThat(beginnings(after)).containsExactly("b");
      assertThat(after.get(0).id()).isEqualTo(before.get(0).id());
      assertThat(after.get(0).envelope().id()).isEqualTo(before.get(1).envelope().id());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void no_parked_message_gets_the_body_of_another(Database database) throws Exception {
    open(database, Claiming.LANES);
    List<StoredEnvelope> before = twoHeavyOnes();
    try (LaneStore lanes = JdbcStore.create(plain).lanes("other", LEASE)) {
      park(lanes, before);
    }
    JdbcStore store =
        storeWith(
            BetweenStatementsTest::fetchesBodies,
            () -> giveFirstIdToSecond("outbox_parked", ids(before)));
    try (LaneStore lanes = store.lanes("relay", LEASE)) {
      assertThat(lanes.readDue(ONE, LIGHT, Set.of())).isEmpty();
      assertThat(beginnings(lanes.readDue(ONE, LIGHT, Set.of()))).containsExactly("b");
    }
  }

  private static void park(LaneStore lanes, List<StoredEnvelope> messages) {
    List<Fate> fates = new ArrayList<>();
    for (StoredEnvelope storedEnvelope : messages) {
      fates.add(new Fate.Park(storedEnvelope, HoldReason.FAILED, 1, Duration.ZERO, "e", "h"));
    }
    Lease lease = lanes.claim(1).get(0).lease();
    lanes.settle(List.of(new Settlement(lease, 0, fates, Settlement.After.RENEW)));
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_row_of_an_open_claim_cannot_become_another_message(Database database) throws Exception {
    open(database, Claiming.ROWS);
    enqueue(Message.to("t").text("a"));
    try (RowStore rows = JdbcStore.create(plain).rows(LEASE)) {
      String other;
      try (RowClaim claim = rows.claim(10)) {
        assertThat(beginnings(claim.messages())).containsExactly("a");
        long id = claim.messages().get(0).id();
        other = insertion(id, database);
        assertWaits("DELETE FROM outbox WHERE id = " + id);
        assertThatThrownBy(() -> run(shortWaits(), other)).isInstanceOf(SQLException.class);
        claim.settle(List.of(new Fate.Deliver(claim.messages().get(0))));
      }
      run(other);
      try (RowClaim claim = rows.claim(10)) {
        assertThat(beginnings(claim.messages())).containsExactly("b");
      }
    }
  }

  private static String insertion(long id, Database database) {
    return "INSERT INTO outbox (lane, id, topic, payload, message_id) VALUES (0, %d, 't', %s, %s)"
        .formatted(
            id,
            database == Database.POSTGRES ? "'\\x62'" : "X'62'",
            database == Database.MYSQL || database == Database.MARIADB
                ? "X'0190a000000070008000000000000001'"
                : "'0190a000-0000-7000-8000-000000000001'");
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_delayed_row_that_a_worker_promotes_cannot_become_another_message(Database database)
      throws Exception {
    open(database, Claiming.ROWS);
    enqueue(delayed("a"));
    run("UPDATE outbox_delayed SET due_at = created_at");
    JdbcStore store =
        storeWith(
            BetweenStatementsTest::promotes,
            () -> {
              assertWaits("DELETE FROM outbox_delayed");
              assertWaits("UPDATE outbox_delayed SET topic = 'other'");
            });
    try (RowStore rows = store.rows(LEASE)) {
      assertThat(rows.promoteDue(10)).isEqualTo(1);
      assertThat(rows.promoteDue(10)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_message_cancelled_while_a_relay_by_lanes_promotes_is_not_published(Database database)
      throws Exception {
    open(database, Claiming.LANES);
    MessageId cancelled = enqueue(delayed("a"), delayed("b")).get(0);
    run("UPDATE outbox_delayed SET due_at = created_at");
    AtomicBoolean answer = new AtomicBoolean();
    JdbcStore store =
        storeWith(
            sql -> sql.startsWith("DELETE") && sql.contains("outbox_delayed"),
            () -> answer.set(Messages.create(JdbcStore.create(plain)).cancel(cancelled)));
    try (LaneStore lanes = store.lanes("relay", LEASE)) {
      Lease lease = lanes.claim(1).get(0).lease();
      assertThat(lanes.promoteDue(List.of(lease), 10)).isEqualTo(1);
      assertThat(answer).isTrue();
      assertThat(beginnings(lanes.read(List.of(new LaneStore.Cursor(new Lane(0), 0, 10)), LIGHT)))
          .containsExactly("b");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void delayed_ids_cannot_begin_again_while_a_relay_by_lanes_promotes(Database database)
      throws Exception {
    open(database, Claiming.LANES);
    enqueue(delayed("a"));
    run("UPDATE outbox_delayed SET due_at = created_at");
    JdbcStore store =
        storeWith(
            BetweenStatementsTest::promotes,
            () -> {
              assertWaits("TRUNCATE TABLE outbox_delayed");
              assertWaits("UPDATE outbox_lane SET epoch = 0, owner = NULL, lease_until = NULL");
            });
    try (LaneStore lanes = store.lanes("relay", LEASE)) {
      Lease lease = lanes.claim(1).get(0).lease();
      assertThat(lanes.promoteDue(List.of(lease), 10)).isEqualTo(1);
      assertThat(lanes.promoteDue(List.of(lease), 10)).isZero();
    }
  }
}
