package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Archive;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters;
import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another process purges the same table: a batch is smaller, but it is not the last. */
class PurgeBesideAnotherTest {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final int MESSAGES = 2500;
  private static final String OLDEST =
      "DELETE FROM outbox_archive WHERE completed_at <= "
          + "(SELECT MAX(a.completed_at) FROM (SELECT completed_at FROM outbox_archive"
          + " ORDER BY completed_at FETCH FIRST %d ROWS ONLY) a)";

  private Sandbox sandbox;
  private DataSource plain;

  private void open(Database database, Function<StoredEnvelope, Fate> fate) throws SQLException {
    sandbox = database.sandbox();
    plain = sandbox.pool();
    Schema.builder(plain).lanes(1).with(Schema.Part.ARCHIVE).create();
    JdbcStore store = JdbcStore.builder(plain).archive().build();
    Outbox outbox = Outbox.create(store);
    List<Message> messages = Collections.nCopies(MESSAGES, Message.to("t").text("x"));
    Transactions.run(plain, outbox, connection -> outbox.enqueue(connection, messages));
    try (LaneStore lanes = store.lanes("relay", LEASE)) {
      Lease lease = lanes.claim(1).get(0).lease();
      List<Fate> fates =
          lanes.read(List.of(new LaneStore.Cursor(new Lane(0), 0, MESSAGES)), 1 << 20).stream()
              .map(fate)
              .toList();
      lanes.settle(List.of(new Settlement(lease, 0, fates, Settlement.After.RELEASE)));
    }
  }

  /** Each was completed at another time, the first one first, and long ago. */
  private void openArchive(Database database) throws SQLException {
    open(database, Fate.Deliver::new);
    run(
        "UPDATE outbox_archive SET completed_at = completed_at - (10000 - id) * INTERVAL '1' SECOND");
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = plain.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private int count(String from) throws SQLException {
    try (Connection connection = plain.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + from)) {
      row.next();
      return row.getInt(1);
    }
  }

  private interface Deed {
    void happen() throws Exception;
  }

  /** A store in which {@code deed} happens once, before a statement that begins like that. */
  private JdbcStore storeWith(String beginning, Deed deed) {
    AtomicBoolean due = new AtomicBoolean(true);
    DataSource tampered =
        new TamperedDataSource(
            plain,
            (connection, method, arguments) -> {
              if (method.getName().equals("prepareStatement")
                  && ((String) arguments[0]).startsWith(beginning)
                  && due.getAndSet(false)) {
                deed.happen();
              }
              return TamperedDataSource.passed(connection, method, arguments);
            });
    return JdbcStore.builder(tampered).archive().build();
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "H2"})
  void the_archive_is_purged_to_its_end_though_another_took_a_part_of_a_batch(Database database)
      throws Exception {
    openArchive(database);
    JdbcStore store = storeWith("DELETE FROM", () -> run(OLDEST.formatted(600)));

    assertThat(Archive.create(store).purge(Duration.ZERO)).isEqualTo(MESSAGES - 600);
    assertThat(count("outbox_archive")).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "H2"})
  void the_archive_is_purged_to_its_end_though_another_took_a_whole_batch(Database database)
      throws Exception {
    openArchive(database);
    JdbcStore store = storeWith("DELETE FROM", () -> run(OLDEST.formatted(1000)));

    assertThat(Archive.create(store).purge(Duration.ZERO)).isEqualTo(MESSAGES - 1000);
    assertThat(count("outbox_archive")).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "H2"})
  void all_that_is_archived_is_published_again_though_another_purges(Database database)
      throws Exception {
    openArchive(database);
    JdbcStore store = storeWith("INSERT INTO", () -> run(OLDEST.formatted(600)));

    assertThat(Archive.create(store).publishAgain("t", Instant.EPOCH, store.now()))
        .isEqualTo(MESSAGES - 600);
    assertThat(count("outbox")).isEqualTo(MESSAGES - 600);
  }

  @Test
  void dead_letters_are_purged_to_the_end_though_another_took_a_part_of_a_batch() throws Exception {
    open(Database.POSTGRES, message -> new Fate.Bury(message, Reason.REJECTED, "no", 1, "", false));
    try (Connection other = sandbox.open();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.executeUpdate("DELETE FROM outbox_dead WHERE dead_id <= 600");
      Future<Long> purge =
          Crew.start(() -> DeadLetters.create(JdbcStore.create(plain)).purge(Duration.ZERO));
      while (count("pg_stat_activity WHERE wait_event_type = 'Lock'") == 0) {
        assertThat(purge).as("it waits for the other").isNotDone();
        Thread.onSpinWait();
      }
      other.commit();

      assertThat(Crew.end(purge, Duration.ofMinutes(1))).isEqualTo(MESSAGES - 600);
    }
    assertThat(count("outbox_dead")).isZero();
  }
}
