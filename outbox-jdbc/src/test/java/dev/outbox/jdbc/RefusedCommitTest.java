package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Claiming;
import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters;
import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A transactional publisher whose statements all succeed, and whose transaction PostgreSQL refuses
 * to commit: the others have no constraint that is checked that late.
 */
class RefusedCommitTest {
  private static final int ATTEMPTS = 3;
  private static final int MOST_LOOKS = 1_000;

  private Sandbox sandbox;
  private DataSource pool;
  private JdbcStore store;
  private final List<String> handled = new ArrayList<>();
  private final List<StoreException> refusals = new ArrayList<>();

  /** What is checked at the commit, and what the database then says. */
  private enum Late {
    FOREIGN_KEY(
        "violates foreign key constraint",
        """
        ALTER TABLE effect ADD FOREIGN KEY (account) REFERENCES account DEFERRABLE INITIALLY DEFERRED
        """),
    UNIQUE(
        "violates unique constraint",
        """
        INSERT INTO effect VALUES ('before', 0);
        ALTER TABLE effect ADD UNIQUE (account) DEFERRABLE INITIALLY DEFERRED
        """),
    TRIGGER(
        "no such account",
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.account = 0 THEN RAISE EXCEPTION 'no such account'; END IF;
          RETURN NULL;
        END $$;
        CREATE CONSTRAINT TRIGGER refusing AFTER INSERT ON effect DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION refuse()
        """);

    private final String said;
    private final String ddl;

    Late(String said, String ddl) {
      this.said = said;
      this.ddl = ddl;
    }
  }

  @BeforeEach
  void create() throws SQLException {
    sandbox = Database.POSTGRES.sandbox();
    pool = sandbox.pool(3);
    Schema.builder(pool).claiming(Claiming.ROWS).with(Schema.Part.ARCHIVE).create();
    store = JdbcStore.builder(pool).archive().build();
    execute("CREATE TABLE account (id INT PRIMARY KEY)");
    execute("INSERT INTO account VALUES (1), (2), (3), (4), (5)");
    execute("CREATE TABLE effect (message VARCHAR(20) NOT NULL, account INT NOT NULL)");
  }

  @AfterEach
  void drop() {
    sandbox.close();
  }

  @ParameterizedTest
  @EnumSource
  void a_message_whose_commit_is_refused_each_time_stops_no_other_and_dies(Late late)
      throws Exception {
    execute(late.ddl);
    enqueue();
    try (ManualRelay relay = relay()) {
      for (int look = 0; look < MOST_LOOKS && dead().isEmpty(); look++) {
        drain(relay);
      }
    }

    assertThat(texts("SELECT message FROM effect WHERE account > 0 ORDER BY message"))
        .containsExactly("u 1", "u 3", "u 4", "u 5");
    assertThat(store.snapshot(10).ready() + store.snapshot(10).parked()).isZero();
    assertThat(dead()).singleElement().satisfies(letter -> assertDead(letter, late));
    assertThat(refusals)
        .allSatisfy(refusal -> assertThat(refusal).matches(StoreException::isOfItsRows))
        .allSatisfy(refusal -> assertThat(refusal).hasMessageContaining("refused the commit"));
    assertThat(Collections.frequency(handled, "u 2")).isBetween(ATTEMPTS, 2 * ATTEMPTS);
  }

  private static void assertDead(DeadLetter letter, Late late) {
    assertThat(letter.envelope().payload().text()).isEqualTo("u 2");
    assertThat(letter.attempts()).isEqualTo(ATTEMPTS);
    assertThat(letter.error()).contains("refused the commit").contains(late.said);
  }

  /** It is no message's fault, and the others' turn comes with the table. */
  @Test
  void a_statement_of_our_own_that_is_refused_costs_no_attempt() throws Exception {
    enqueue();
    execute("ALTER TABLE outbox_archive RENAME TO gone");
    try (ManualRelay relay = relay()) {
      for (int look = 0; look < 2 * ATTEMPTS; look++) {
        assertThatThrownBy(relay::drainNow)
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("archive");
      }
      assertThat(store.snapshot(10).ready()).isEqualTo(5);
      execute("ALTER TABLE gone RENAME TO outbox_archive");
      relay.drainNow();
    }

    assertThat(texts("SELECT message FROM effect")).hasSize(5);
    assertThat(store.snapshot(10).ready() + store.snapshot(10).parked()).isZero();
    assertThat(dead()).isEmpty();
  }

  private ManualRelay relay() {
    Publisher publisher =
        Publisher.transactional(
            (envelope, transaction) -> {
              String text = envelope.payload().text();
              handled.add(text);
              try (PreparedStatement insert =
                  transaction.prepareStatement("INSERT INTO effect VALUES (?, ?)")) {
                insert.setString(1, text);
                insert.setInt(2, text.equals("u 2") ? 0 : Integer.parseInt(text.substring(2)));
                insert.executeUpdate();
              }
            });
    return ManualRelay.builder(store, publisher)
        .retry(
            (attempts, failing) ->
                attempts < ATTEMPTS ? Optional.of(Duration.ofMillis(1)) : Optional.empty())
        .build();
  }

  private void drain(ManualRelay relay) {
    try {
      relay.drainNow();
    } catch (StoreException refusal) {
      refusals.add(refusal);
    }
  }

  private void enqueue() throws SQLException {
    Outbox outbox = Outbox.create(store);
    List<Message> messages =
        IntStream.rangeClosed(1, 5).mapToObj(i -> Message.to("work").text("u " + i)).toList();
    Transactions.run(pool, outbox, transaction -> outbox.enqueue(transaction, messages));
  }

  private List<DeadLetter> dead() {
    return DeadLetters.create(store).page(0, 10);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> texts(String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        texts.add(row.getString(1));
      }
    }
    return texts;
  }
}
