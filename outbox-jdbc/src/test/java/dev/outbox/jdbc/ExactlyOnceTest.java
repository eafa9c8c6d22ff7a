package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Inbox;
import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.crash.CrashFault;
import dev.outbox.testkit.crash.CrashReport;
import dev.outbox.testkit.crash.EveryAttempt;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.crash.Undertaking;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Consumers with an inbox, and writers with a key, dropped or failing before and after every
 * statement and commit, and replaced until all is acknowledged: every effect happens once.
 */
@Execution(ExecutionMode.CONCURRENT)
class ExactlyOnceTest {
  private static final int MESSAGES = 3;

  static Stream<Arguments> databases() {
    return Stream.of(
            Database.POSTGRES, Database.MYSQL, Database.MARIADB, Database.H2, Database.H2_ORACLE)
        .flatMap(
            database ->
                Stream.of(CrashFault.DROP, CrashFault.FAIL)
                    .map(crashFault -> Arguments.of(database, crashFault)));
  }

  @ParameterizedTest
  @MethodSource("databases")
  void a_consumer_with_an_inbox_has_every_effect_once(Database database, CrashFault crashFault)
      throws Exception {
    try (Scene scene = new Scene(database)) {
      passes(EveryAttempt.of(() -> new Consumer(scene, Way.ONE_BY_ONE)).with(crashFault).run());
      passes(EveryAttempt.of(() -> new Consumer(scene, Way.ALL_AT_ONCE)).with(crashFault).run());
      if (crashFault == CrashFault.FAIL) {
        passes(EveryAttempt.of(() -> new Consumer(scene, Way.CATCHING)).with(crashFault).run());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void a_writer_with_a_key_has_every_message_once(Database database, CrashFault crashFault)
      throws Exception {
    try (Scene scene = new Scene(database)) {
      passes(EveryAttempt.of(() -> new Writer(scene, true)).with(crashFault).run());
    }
  }

  @Test
  void without_an_inbox_or_a_key_they_are_found_out() throws Exception {
    try (Scene scene = new Scene(Database.H2)) {
      assertThat(EveryAttempt.of(() -> new Consumer(scene, Way.WITHOUT_INBOX)).run().failures())
          .anyMatch(failure -> failure.contains("AFTER") && failure.contains("TRANSACTION"));
      assertThat(EveryAttempt.of(() -> new Writer(scene, false)).run().failures()).isNotEmpty();
    }
  }

  private static void passes(CrashReport report) {
    System.out.println("exactly once: " + report);
    assertThat(report.assertPassed().runs()).isGreaterThan(4 * MESSAGES);
  }

  /** One database for all runs, emptied before each; for Oracle its text on H2. */
  private static final class Scene implements AutoCloseable {
    private final Sandbox sandbox;
    private final boolean oracle;
    final DataSource dataSource;

    Scene(Database database) throws SQLException {
      this.sandbox = database.sandbox();
      this.dataSource = sandbox.pool(4);
      this.oracle = database == Database.H2_ORACLE;
      Schema.Builder schema =
          Schema.builder(dataSource).with(Schema.Part.DEDUPE).with(Schema.Part.RECEIPT);
      if (oracle) {
        OracleStores.run(dataSource, OracleStores.ALIASES);
        OracleStores.createOnH2(dataSource, schema.dialect(new OracleDialect()).build());
      } else {
        schema.create();
      }
      run("CREATE TABLE effect (id VARCHAR(40) NOT NULL)");
    }

    Inbox inbox() {
      JdbcInbox.Builder inbox = JdbcInbox.builder(dataSource);
      return Inbox.create((oracle ? inbox.dialect(new OracleDialect()) : inbox).build());
    }

    Outbox outbox() {
      JdbcStore.Builder store = JdbcStore.builder(dataSource);
      return Outbox.create((oracle ? store.dialect(new OracleDialect()) : store).build());
    }

    void empty() throws SQLException {
      for (String table : List.of("outbox", "outbox_dedupe", "outbox_receipt", "effect")) {
        run("DELETE FROM " + table);
      }
    }

    private void run(String sql) throws SQLException {
      try (Connection connection = dataSource.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }

    List<String> texts(String sql) throws SQLException {
      List<String> texts = new ArrayList<>();
      try (Connection connection = dataSource.getConnection();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        while (rows.next()) {
          texts.add(rows.getString(1));
        }
      }
      return texts;
    }

    @Override
    public void close() {
      sandbox.close();
    }
  }

  private enum Way {
    ONE_BY_ONE,
    ALL_AT_ONCE,
    /** Catches what fails, commits the transaction all the same, and tries again in a new one. */
    CATCHING,
    WITHOUT_INBOX
  }

  /** Has every message delivered twice, and again by who comes after. */
  private static final class Consumer implements Undertaking {
    private final Scene scene;
    private final Way way;
    private final Inbox inbox;
    private final List<MessageId> ids = Stream.generate(MessageId::next).limit(MESSAGES).toList();

    Consumer(Scene scene, Way way) throws SQLException {
      this.scene = scene;
      this.way = way;
      this.inbox = scene.inbox();
      scene.empty();
    }

    @Override
    public void attempt(String who, Steps steps) throws Exception {
      DataSource connections = steps.watch(who, scene.dataSource);
      boolean twice = way == Way.ONE_BY_ONE || way == Way.ALL_AT_ONCE;
      for (int time = 0; time < (twice ? 2 : 1); time++) {
        if (way == Way.ALL_AT_ONCE) {
          receive(connections, ids);
        } else {
          for (MessageId id : ids) {
            receive(connections, List.of(id));
          }
        }
      }
    }

    private void receive(DataSource connections, List<MessageId> some) throws SQLException {
      try (Connection connection = connections.getConnection()) {
        connection.setAutoCommit(false);
        switch (way) {
          case ONE_BY_ONE -> once(connection, some.get(0));
          case CATCHING -> onceCatching(connection, some.get(0));
          case ALL_AT_ONCE -> {
            for (MessageId id : inbox.receive(connection, "mailer", some).fresh()) {
              effect(connection, id);
            }
          }
          case WITHOUT_INBOX -> effect(connection, some.get(0));
        }
        connection.commit();
      }
    }

    private void once(Connection connection, MessageId id) throws SQLException {
      inbox.once(connection, "mailer", id, transaction -> effect(transaction, id));
    }

    private void onceCatching(Connection connection, MessageId id) throws SQLException {
      try {
        once(connection, id);
      } catch (SQLException | StoreException failed) {
        commitAnyway(connection);
        once(connection, id);
      }
    }

    /** Where the transaction was ended with the failure, a commit says so. */
    private static void commitAnyway(Connection connection) throws SQLException {
      try {
        connection.commit();
      } catch (SQLException over) {
        connection.rollback();
      }
    }

    private static void effect(Connection transaction, MessageId id) throws SQLException {
      try (PreparedStatement insert =
          transaction.prepareStatement("INSERT INTO effect (id) VALUES (?)")) {
        insert.setString(1, id.toString());
        insert.executeUpdate();
      }
    }

    @Override
    public List<String> wrongs() throws Exception {
      List<String> wanted = ids.stream().map(MessageId::toString).sorted().toList();
      List<String> found = scene.texts("SELECT id FROM effect").stream().sorted().toList();
      return found.equals(wanted)
          ? List.of()
          : List.of("effects of %s, wanted are %s".formatted(found, wanted));
    }

    @Override
    public void close() {}
  }

  /** Enqueues a message of each key until it knows that it did. */
  private static final class Writer implements Undertaking {
    private final Scene scene;
    private final boolean once;
    private final Outbox outbox;

    Writer(Scene scene, boolean once) throws SQLException {
      this.scene = scene;
      this.once = once;
      this.outbox = scene.outbox();
      scene.empty();
    }

    @Override
    public void attempt(String who, Steps steps) throws Exception {
      DataSource connections = steps.watch(who, scene.dataSource);
      enqueue(connections, List.of("key 0"));
      enqueue(connections, List.of("key 2", "key 1"));
    }

    private void enqueue(DataSource connections, List<String> keys) throws SQLException {
      try (Connection connection = connections.getConnection()) {
        connection.setAutoCommit(false);
        outbox.enqueue(connection, keys.stream().map(this::message).toList());
        connection.commit();
      }
    }

    private Message message(String key) {
      Message.Draft draft = Message.to(key);
      return (once ? draft.dedupeKey(key) : draft).text(key);
    }

    @Override
    public List<String> wrongs() throws Exception {
      List<String> found = scene.texts("SELECT topic FROM outbox").stream().sorted().toList();
      return found.equals(List.of("key 0", "key 1", "key 2"))
          ? List.of()
          : List.of("messages of " + found);
    }

    @Override
    public void close() {}
  }
}
