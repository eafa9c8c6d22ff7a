package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.dialect.Product;
import dev.outbox.jdbc.internal.schema.Ddl;
import dev.outbox.jdbc.internal.schema.Dialects;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two processes upgrade the same tables at once. */
final class UpgradesAtOnceTest {
  private static final Executor OTHERS = task -> new Thread(task).start();

  private static final String LIVE =
      "INSERT INTO outbox_relay (relay, live_until, started_at) VALUES ('new', '2037-01-01 00:00:00', '2026-01-01 00:00:00')";

  /** The first commit is that of the question for live relays, when the version has been read. */
  private static final int BEFORE_ITS_FIRST_STATEMENT = 1;

  /** The connections before it are for the product and for the version. */
  private static final int FOR_LIVE_RELAYS = 3;

  /** What another process does after so many commits of this one. */
  private interface Other {
    void after(int commits) throws Exception;
  }

  private static DataSource beside(Sandbox sandbox, Other other) {
    AtomicInteger commits = new AtomicInteger();
    return new TamperedDataSource(
        sandbox.pool(),
        (connection, method, arguments) -> {
          Object answer = TamperedDataSource.passed(connection, method, arguments);
          if (method.getName().equals("commit")) {
            other.after(commits.incrementAndGet());
          }
          return answer;
        });
  }

  private static Schema schema(DataSource dataSource) {
    return Schema.builder(dataSource).build();
  }

  /** Makes tables of version 1 and returns the step to the next. */
  private static Ddl versionOne(Sandbox sandbox) throws SQLException, IOException {
    try (Connection connection = sandbox.open()) {
      Ddl ddl = UpgradeTest.versionOne(Dialects.of(Product.of(connection.getMetaData())), "outbox");
      ddl.apply(sandbox.pool());
      return Ddl.upgrade(ddl.dialect(), ddl.tables(), 2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "H2"})
  void an_index_that_the_other_has_built_is_not_dropped(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      List<String> step = versionOne(sandbox).statements();
      List<String> lacking = new ArrayList<>();
      Other other =
          commits -> {
            if (commits == BEFORE_ITS_FIRST_STATEMENT) {
              SchemaBesideWritersTest.run(sandbox, step.subList(0, step.size() - 1));
            } else {
              schema(sandbox.pool()).verify().stream()
                  .filter(finding -> finding.contains("no index"))
                  .forEach(lacking::add);
            }
          };
      schema(beside(sandbox, other)).upgrade();
      assertThat(lacking).isEmpty();
      assertThat(schema(sandbox.pool()).verify()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void what_the_other_has_done_waits_for_no_transaction(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox();
        Connection open = sandbox.open()) {
      versionOne(sandbox);
      Other other =
          commits -> {
            if (commits == BEFORE_ITS_FIRST_STATEMENT) {
              schema(sandbox.pool()).upgrade();
              open.setAutoCommit(false);
              open.createStatement().executeQuery("SELECT lane FROM outbox_parked").close();
            }
          };
      CompletableFuture.runAsync(() -> schema(beside(sandbox, other)).upgrade(), OTHERS)
          .get(4, TimeUnit.SECONDS);
      assertThat(schema(sandbox.pool()).verify()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_relay_that_starts_when_the_other_is_done_is_of_the_new_version(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      versionOne(sandbox);
      AtomicInteger lent = new AtomicInteger();
      List<Integer> asked = new ArrayList<>();
      DataSource beside =
          new TamperedDataSource(
              sandbox.pool(),
              (connection, method, arguments) -> {
                if (method.getName().equals("prepareStatement")
                    && arguments[0].toString().startsWith("SELECT relay FROM")) {
                  asked.add(lent.get());
                }
                return TamperedDataSource.passed(connection, method, arguments);
              },
              connection -> {
                if (lent.incrementAndGet() == FOR_LIVE_RELAYS) {
                  schema(sandbox.pool()).upgrade();
                  SchemaBesideWritersTest.run(sandbox, List.of(LIVE));
                }
              });
      schema(beside).upgrade();
      assertThat(asked).as("relays are asked for after that").containsExactly(FOR_LIVE_RELAYS);
      assertThat(schema(sandbox.pool()).verify()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "H2"})
  void an_index_that_the_other_builds_again_is_waited_for(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      schema(sandbox.pool()).create();
      SchemaBesideWritersTest.run(sandbox, SchemaBesideWritersTest.OF_VERSION_2);
      List<CompletableFuture<Void>> builds = new ArrayList<>();
      int all = BEFORE_ITS_FIRST_STATEMENT + 4; // the statements of the step
      Other other =
          commits -> {
            if (commits == all) {
              SchemaBesideWritersTest.run(sandbox, List.of("DROP INDEX outbox_parked_keys"));
              builds.add(
                  CompletableFuture.runAsync(
                      () -> schema(sandbox.pool()).create(),
                      CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS)));
            }
          };
      schema(beside(sandbox, other)).upgrade();
      builds.get(0).get();
      assertThat(schema(sandbox.pool()).verify()).isEmpty();
    }
  }
}
