package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.jdbc.JdbcWorld.Grain;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.lane.OpenTransactions;
import dev.outbox.tck.StoreSetting;
import dev.outbox.testkit.crash.CrashFault;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.CrashRun;
import dev.outbox.testkit.crash.CrashScenario;
import dev.outbox.testkit.crash.EveryStep;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.crash.TestWorld;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Relays of a user whom MySQL and MariaDB tell who writes: what is committed below ids that were
 * settled long before is published at once, also by those that come after one that was dropped.
 *
 * <p>In its own class, so that nobody else reads the list of writers meanwhile.
 */
@LooksAtWriters
class KnownWritersTest {
  /** Longer than the server's copy of its list lags behind. */
  private static final Duration LAG = Duration.ofMillis(350);

  private static final StoreSetting ONE_LANE = StoreSetting.lanes(1);
  private static final Set<CrashPoint> POINTS = EnumSet.of(CrashPoint.CLAIM, CrashPoint.SETTLE);

  private final List<String> arrived = new CopyOnWriteArrayList<>();

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void a_late_commit_is_published_at_once_whatever_step_a_relay_dies_at(Database database)
      throws Exception {
    try (JdbcStores stores = new JdbcStores(database, "")) {
      try (LaneStore lanes = stores.open(ONE_LANE).store().lanes("a", Duration.ofMinutes(1))) {
        assertThat(lanes.openTransactions()).isInstanceOf(OpenTransactions.Known.class);
      }
      System.out.println(
          "known writers: "
              + EveryStep.of(() -> world(stores, real -> real), this::play)
                  .at(step -> POINTS.contains(step.point()))
                  .with(CrashFault.DROP)
                  .run()
                  .assertPassed());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void relays_that_overlook_a_writer_are_found_out(Database database) throws Exception {
    try (JdbcStores stores = new JdbcStores(database, "")) {
      CrashScenario crashScenario = this::play;
      EveryStep blind =
          EveryStep.of(() -> world(stores, KnownWritersTest::overlooking), crashScenario);
      assertThatThrownBy(blind::run)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("late");
    }
  }

  private static DataSource overlooking(DataSource real) {
    return new TamperedDataSource(
        real,
        (connection, method, arguments) -> {
          if (method.getName().equals("prepareStatement") && arguments[0] instanceof String sql) {
            arguments[0] = sql.replace("trx_tables_locked > 0", "1 = 0");
          }
          return TamperedDataSource.passed(connection, method, arguments);
        });
  }

  private void play(CrashRun crashRun) throws Exception {
    crashRun.writeAround(
        meanwhile -> {
          meanwhile.write(Message.to("orders").text("early"));
          meanwhile.drain();
          meanwhile.pass(LAG);
          meanwhile.write(Message.to("orders").text("less early"));
          meanwhile.drain();
        },
        Message.to("orders").text("late"));
    crashRun.drain();
    assertThat(arrived).contains("early", "less early", "late");
  }

  private TestWorld world(JdbcStores stores, UnaryOperator<DataSource> otherwise) throws Exception {
    arrived.clear();
    return new Watched(stores.world(ONE_LANE, Grain.CALLS, otherwise), arrived);
  }

  /** Notes what arrives; short times pass for the server, too, whose list is of its own clock. */
  private record Watched(TestWorld testWorld, List<String> arrived) implements TestWorld {
    @Override
    public OutboxStore store(String who, Steps steps) {
      return testWorld.store(who, steps);
    }

    @Override
    public DataSource applications(String who, Steps steps) {
      return testWorld.applications(who, steps);
    }

    @Override
    public void passTime(Duration step) throws Exception {
      if (step.equals(LAG)) {
        LockSupport.parkNanos(step.toNanos());
      } else {
        testWorld.passTime(step);
      }
    }

    @Override
    public Publisher publisher(Receiver broker) {
      return testWorld.publisher(
          envelope -> {
            arrived.add(envelope.payload().text());
            broker.receive(envelope);
          });
    }

    @Override
    public List<String> flaws(Set<MessageId> due) throws Exception {
      return testWorld.flaws(due);
    }

    @Override
    public void close() {
      testWorld.close();
    }
  }
}
