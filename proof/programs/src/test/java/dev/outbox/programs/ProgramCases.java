package dev.outbox.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.outbox.message.Envelope;
import dev.outbox.programs.Program.RefusedException;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each program does on an empty PostgreSQL database. */
public abstract class ProgramCases {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Order FIRST = new Order("1", 1999, NOON);
  private static final Order SECOND = new Order("2", 50, NOON);

  private final BlockingQueue<Envelope> sent = new LinkedBlockingQueue<>();
  private final Sandbox sandbox = Database.POSTGRES.sandbox();
  private Program program;

  /** Starts the program over an empty database; its publisher sends to {@code broker}. */
  protected abstract Program start(Sandbox sandbox, Publisher broker) throws Exception;

  @BeforeEach
  void startIt() throws Exception {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, cents INT NOT NULL,"
              + " placed_at TIMESTAMPTZ NOT NULL)");
    }
    program = start(sandbox, Publisher.blocking(sent::add));
  }

  @AfterEach
  void end() {
    program.close();
    sandbox.close();
  }

  @Test
  void an_order_and_its_message_are_committed_together_and_the_message_is_published()
      throws Exception {
    program.place(FIRST);

    Envelope envelope = next();
    assertThat(envelope.topic()).isEqualTo("orders.placed");
    assertThat(envelope.key()).hasToString("1");
    assertThat(envelope.payload().text())
        .isEqualTo("{\"id\":\"1\",\"cents\":1999,\"placedAt\":\"2026-03-01T12:00:00Z\"}");
    assertThat(count("orders")).isEqualTo(1);
  }

  @Test
  void what_is_refused_leaves_neither_row_nor_message() throws Exception {
    assertThatThrownBy(() -> program.placeAndRefuse(FIRST)).isInstanceOf(RefusedException.class);
    assertThat(count("orders")).isZero();
    assertThat(count("outbox")).isZero();

    program.place(SECOND);

    assertThat(next().key()).hasToString("2");
    assertThat(sent).isEmpty();
  }

  @Test
  void without_a_transaction_the_message_is_refused_and_the_text_says_why() throws Exception {
    Throwable refused = catchThrowable(() -> program.placeWithoutTransaction(FIRST));

    assertThat(refused)
        .isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class);
    assertThat(refused.getMessage()).containsIgnoringCase("transaction");
    assertThat(count("outbox")).isZero();
  }

  @Test
  void it_closes_at_once_and_leaves_no_thread_and_no_lease_behind() throws Exception {
    program.place(FIRST);
    next();
    long before = System.nanoTime();

    program.close();

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().startsWith("outbox-")) {
        each.join(1000); // one that was told to end may need a moment
        assertThat(each.isAlive()).as(each.getName()).isFalse();
      }
    }
    assertThat(count("outbox")).isZero();
    assertThat(count("outbox_lane WHERE owner IS NOT NULL")).isZero();
  }

  private Envelope next() throws InterruptedException {
    return Objects.requireNonNull(sent.poll(30, TimeUnit.SECONDS), "nothing was published");
  }

  private int count(String table) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      result.next();
      return result.getInt(1);
    }
  }
}
