package dev.outbox.jdbc.mistakes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Claiming;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Sandbox;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What mistakes are made with, and how it is heard what the user is told. */
final class Making {
  static final Message MESSAGE = Message.to("orders").text("1");
  static final Publisher PUBLISHER = Publisher.blocking(envelope -> {});
  private static final Duration A_SECOND = Duration.ofSeconds(1);

  private Making() {}

  /** The text of what {@code call} throws. */
  static String thrown(ThrowingCallable call) {
    return Objects.requireNonNull(catchThrowable(call)).getMessage();
  }

  /** Tables with every default, and a store over them. */
  static JdbcStore store(Sandbox sandbox) {
    return store(sandbox, UnaryOperator.identity());
  }

  static JdbcStore store(Sandbox sandbox, UnaryOperator<Schema.Builder> tables) {
    tables.apply(Schema.builder(sandbox.pool())).create();
    return JdbcStore.create(sandbox.pool());
  }

  static Outbox outbox(Sandbox sandbox) {
    return Outbox.create(store(sandbox));
  }

  static Connection transaction(DataSource dataSource) throws SQLException {
    Connection connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  static void enqueue(Sandbox sandbox, JdbcStore store, Message message) throws SQLException {
    try (Connection connection = transaction(sandbox.pool())) {
      Outbox.create(store).enqueue(connection, message);
      connection.commit();
    }
  }

  /** A statement of the application, which may fail. */
  static void run(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      assertThat(e.getMessage()).contains("nothing");
    }
  }

  /** A connection of a user without any grant, on H2. */
  static Connection stranger(Sandbox sandbox) throws SQLException {
    String user = sandbox.name() + "_stranger";
    try (Connection connection = sandbox.open()) {
      run(connection, "CREATE USER " + user + " PASSWORD '" + user + "'");
    }
    String url = sandbox.url().substring(0, sandbox.url().indexOf(';'));
    return DriverManager.getConnection(url, user, user);
  }

  /** The first line of the log that fits while a relay publishes one message so badly. */
  static String published(
      Sandbox sandbox, Message message, Publisher publisher, Predicate<RelayStatus> until)
      throws SQLException {
    JdbcStore store = store(sandbox);
    enqueue(sandbox, store, message);
    return logged(
        "outbox-" + sandbox.name(),
        "topic=orders",
        () -> {
          try (Relay relay =
              Relay.builder(store, publisher)
                  .name(sandbox.name())
                  .publishDeadline(Duration.ofMillis(300))
                  .start()) {
            while (!until.test(relay.status())) {
              Thread.onSpinWait();
            }
          }
        });
  }

  /** What is logged by a relay that is closed after its pool, which takes less than a second. */
  static String closedTooLate(Sandbox sandbox) {
    HikariDataSource pool = (HikariDataSource) sandbox.pool(4);
    JdbcStore store = JdbcStore.create(pool);
    Relay relay = Relay.builder(store, PUBLISHER).start();
    boolean byLanes = store.layout().claiming() == Claiming.LANES;
    // who waits for a connection while a pool is closed may wait for its whole time-out
    while (byLanes
        ? relay.status().lanes().isEmpty()
        : pool.getHikariPoolMXBean().getActiveConnections() == 0
            || pool.getHikariPoolMXBean().getThreadsAwaitingConnection() > 0) {
      Thread.onSpinWait();
    }
    String log =
        log(
            () -> {
              pool.close();
              long before = System.nanoTime();
              relay.close();
              assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(A_SECOND);
            });
    return Pattern.compile("(?m)^(?=\\[)") // an entry with its stack trace
        .splitAsStream(log)
        .filter(entry -> entry.contains(relay.name())) // other tests log meanwhile
        .collect(Collectors.joining());
  }

  /** As below, of this thread. */
  static String logged(String part, Runnable call) {
    return logged(Thread.currentThread().getName(), part, call);
  }

  /**
   * The first line that has {@code part}, from the relay's or topic's name on, of those that a
   * thread has logged whose name begins with {@code thread}: other tests log meanwhile.
   */
  private static String logged(String thread, String part, Runnable call) {
    String log = log(call);
    String quoted = Pattern.quote(part);
    Matcher line =
        Pattern.compile(
                "(?m)^\\[" + Pattern.quote(thread) + ".*? - ((relay=.*)?" + quoted + " .*)$")
            .matcher(log);
    assertThat(line.find()).as("a line of %s with %s in %s", thread, part, log).isTrue();
    return line.group(1).strip();
  }

  /** All that is logged meanwhile. */
  static String log(Runnable call) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      call.run();
    } finally {
      System.setErr(before);
    }
    return log.toString(StandardCharsets.UTF_8);
  }
}
