package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Claiming;
import dev.outbox.Outbox;
import dev.outbox.OutboxException.Finding;
import dev.outbox.Relay;
import dev.outbox.Topics;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.Usage;
import dev.outbox.spi.Usage.Role;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Typical mistakes of users, each made on purpose, and told as docs/bad-input.md says. */
@ResourceLock(Resources.SYSTEM_ERR)
class MistakesTest {
  private static final Path PAGE = Path.of("..", "docs", "bad-input.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Z][^|]*) \\| `([^`]*)` \\|$");

  private static final Message MESSAGE = Message.to("orders").text("1");
  private static final Duration A_SECOND = Duration.ofSeconds(1);

  /** The mistakes of the page, in its order. */
  private enum Mistake {
    AN_EARLIER_STATEMENT_FAILED(Database.POSTGRES) {
      @Override
      String made(Sandbox sandbox) throws Exception {
        Outbox outbox = outbox(sandbox);
        try (Connection connection = transaction(sandbox.dataSource())) {
          run(connection, "SELECT * FROM nothing");
          return thrown(() -> outbox.enqueue(connection, MESSAGE));
        }
      }
    },
    NO_TABLES(Database.H2) {
      @Override
      String made(Sandbox sandbox) {
        return thrown(() -> JdbcStore.create(sandbox.dataSource()));
      }
    },
    ANOTHER_TABLE_PREFIX(Database.H2) {
      @Override
      String made(Sandbox sandbox) {
        Schema.builder(sandbox.dataSource()).create();
        return thrown(
            () -> JdbcStore.builder(sandbox.dataSource()).tablePrefix("orders_outbox").build());
      }
    },
    ANOTHER_DATABASE_OF_THE_SAME_PRODUCT(Database.H2) {
      @Override
      String made(Sandbox sandbox) throws Exception {
        Outbox outbox = outbox(sandbox);
        try (Connection elsewhere = DriverManager.getConnection("jdbc:h2:mem:")) {
          elsewhere.setAutoCommit(false);
          return thrown(() -> outbox.enqueue(elsewhere, MESSAGE));
        }
      }
    },
    A_WRITER_WITHOUT_GRANTS(Database.H2) {
      @Override
      String made(Sandbox sandbox) throws Exception {
        Outbox outbox = outbox(sandbox);
        String user = sandbox.name() + "_stranger";
        try (Connection connection = sandbox.open()) {
          run(connection, "CREATE USER " + user + " PASSWORD '" + user + "'");
        }
        String url = sandbox.url().substring(0, sandbox.url().indexOf(';'));
        try (Connection connection = DriverManager.getConnection(url, user, user)) {
          connection.setAutoCommit(false);
          return thrown(() -> outbox.enqueue(connection, MESSAGE));
        }
      }
    },
    ANOTHER_NUMBER_OF_LANES(Database.H2) {
      @Override
      String made(Sandbox sandbox) {
        Schema.builder(sandbox.dataSource()).create();
        return thrown(() -> Schema.builder(sandbox.dataSource()).lanes(64).create());
      }
    },
    A_SCHEMA_THAT_IS_NOT_THERE(Database.H2) {
      @Override
      String made(Sandbox sandbox) {
        return thrown(() -> Schema.builder(sandbox.dataSource()).schema("nowhere").create());
      }
    },
    A_READ_ONLY_TRANSACTION(Database.POSTGRES) {
      @Override
      String made(Sandbox sandbox) throws Exception {
        Outbox outbox = outbox(sandbox);
        try (Connection connection = sandbox.open()) {
          connection.setReadOnly(true);
          connection.setAutoCommit(false);
          return thrown(() -> outbox.enqueue(connection, MESSAGE));
        }
      }
    },
    A_READ_ONLY_TRANSACTION_OF_THE_SERVER(Database.POSTGRES) {
      @Override
      String made(Sandbox sandbox) throws Exception {
        return startedReadOnly(sandbox, "SET TRANSACTION READ ONLY");
      }
    },
    A_READ_ONLY_TRANSACTION_ON_MYSQL(Database.MYSQL) {
      @Override
      String made(Sandbox sandbox) throws Exception {
        return startedReadOnly(sandbox, "START TRANSACTION READ ONLY");
      }
    },
    A_POOL_THAT_THE_RELAY_EMPTIES(Database.POSTGRES) {
      @Override
      String made(Sandbox sandbox) {
        Schema.builder(sandbox.dataSource()).create();
        JdbcStore store = JdbcStore.create(sandbox.pool(2));
        Usage usage = new Usage(Role.RELAY, Claiming.LANES, 2, Duration.ofSeconds(15));
        return store.examine(usage).stream().map(Finding::toString).collect(Collectors.joining());
      }
    },
    A_POOL_CLOSED_BEFORE_ITS_RELAY(Database.POSTGRES) {
      @Override
      String made(Sandbox sandbox) {
        Schema.builder(sandbox.dataSource()).create();
        return closedTooLate(sandbox)
            .lines()
            .filter(line -> line.contains("pool is closed"))
            .map(line -> line.substring(line.indexOf("relay=")))
            .findFirst()
            .orElseThrow();
      }
    },
    A_MISSPELT_TOPIC(Database.H2) {
      @Override
      String made(Sandbox sandbox) throws Exception {
        Outbox outbox = outbox(sandbox);
        try (Connection connection = transaction(sandbox.dataSource())) {
          outbox.enqueue(connection, Message.to("orders").text("1"));
          connection.commit();
        }
        return logged(() -> Topics.create(JdbcStore.create(sandbox.dataSource())).pause("ordes"));
      }
    };

    final Database database;

    Mistake(Database database) {
      this.database = database;
    }

    /** Makes the mistake; returns what the user is told. */
    abstract String made(Sandbox sandbox) throws Exception;

    String words() {
      return name().charAt(0)
          + name()
              .substring(1)
              .toLowerCase(Locale.ROOT)
              .replace("_", " ")
              .replace("mysql", "MySQL");
    }
  }

  /** A row of the page: the mistake in words, and its text, where a … stands for what varies. */
  private record Row(String mistake, String text) {
    Pattern pattern() {
      return Pattern.compile(
          Stream.of(text.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
          Pattern.DOTALL);
    }
  }

  private static List<Row> rows() throws IOException {
    return ROW.matcher(Files.readString(PAGE))
        .results()
        .map(row -> new Row(row.group(1), row.group(2)))
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void each_is_told_as_the_page_says(Mistake mistake) throws Exception {
    Row row =
        rows().stream()
            .filter(each -> each.mistake().equals(mistake.words()))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no row for: " + mistake.words()));
    try (Sandbox sandbox = mistake.database.sandbox()) {
      assertThat(mistake.made(sandbox)).matches(row.pattern());
    }
  }

  @Test
  void the_page_has_no_other_rows() throws IOException {
    assertThat(rows())
        .extracting(Row::mistake)
        .containsExactlyElementsOf(Stream.of(Mistake.values()).map(Mistake::words).toList());
  }

  @ParameterizedTest
  @EnumSource(
      value = Database.class,
      names = {"POSTGRES", "MYSQL", "MARIADB"})
  void a_relay_whose_pool_was_closed_closes_at_once_and_without_a_stack_trace(Database database) {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      assertClosesAtOnce(closedTooLate(sandbox));
    }
  }

  @Test
  void so_does_one_that_claims_by_rows() {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      Schema.builder(sandbox.dataSource()).claiming(Claiming.ROWS).create();
      assertClosesAtOnce(closedTooLate(sandbox));
    }
  }

  private static void assertClosesAtOnce(String log) {
    assertThat(log).contains("cannot go on").doesNotContain("\tat ").doesNotContain("Exception");
  }

  /** What is logged by a relay that is closed after its pool, which takes less than a second. */
  private static String closedTooLate(Sandbox sandbox) {
    HikariDataSource pool = (HikariDataSource) sandbox.pool(4);
    JdbcStore store = JdbcStore.create(pool);
    Relay relay = Relay.builder(store, Publisher.blocking(envelope -> {})).start();
    boolean byLanes = store.layout().claiming() == Claiming.LANES;
    while (byLanes && relay.status().lanes().isEmpty()) {
      Thread.onSpinWait();
    }
    return logged(
        () -> {
          pool.close();
          long before = System.nanoTime();
          relay.close();
          assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(A_SECOND);
        });
  }

  private static String startedReadOnly(Sandbox sandbox, String statement) throws SQLException {
    Outbox outbox = outbox(sandbox);
    try (Connection connection = transaction(sandbox.dataSource())) {
      run(connection, statement);
      return thrown(() -> outbox.enqueue(connection, MESSAGE));
    }
  }

  private static Outbox outbox(Sandbox sandbox) {
    Schema.builder(sandbox.dataSource()).create();
    return Outbox.create(JdbcStore.create(sandbox.dataSource()));
  }

  private static Connection transaction(DataSource dataSource) throws SQLException {
    Connection connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  /** A statement of the application, which may fail. */
  private static void run(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      assertThat(e.getMessage()).contains("nothing");
    }
  }

  private static String thrown(ThrowingCallable call) {
    return Objects.requireNonNull(catchThrowable(call)).getMessage();
  }

  /** The lines of the logger, from the relay's or topic's name on. */
  private static String logged(Runnable call) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      call.run();
    } finally {
      System.setErr(before);
    }
    Matcher text =
        Pattern.compile("(relay|topic)=.*", Pattern.DOTALL)
            .matcher(log.toString(StandardCharsets.UTF_8));
    assertThat(text.find()).as("a log line in " + log).isTrue();
    return text.group().strip();
  }
}
