package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreSetting;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The settle that others write, {@code DELETE ... WHERE id IN (...)}, against one that joins the
 * ids from the side: InnoDB locks what the first one reads, and it reads the whole of a small
 * table.
 */
@ResourceLock("the deadlock count of a server")
class InListMutantTest {
  private static final Duration LEASE = Duration.ofSeconds(6);
  private static final Pattern JOINED =
      Pattern.compile(
          "DELETE o\\s+FROM (JSON_TABLE\\(.*?\\)\\)) a\\s+STRAIGHT_JOIN (\\S+) o.*",
          Pattern.DOTALL);
  private static final String IN_LIST =
      "DELETE FROM $2 WHERE (lane, id) IN (SELECT a.lane, a.id FROM $1 a)";

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void a_settle_by_in_list_waits_for_a_writer_and_ours_does_not(Database database)
      throws Exception {
    try (JdbcStores stores = new JdbcStores(database, "")) {
      JdbcEnvironment environment = (JdbcEnvironment) stores.open(StoreSetting.lanes(1));
      AtomicInteger mutated = new AtomicInteger();
      DataSource byInList =
          new TamperedDataSource(
              environment.applications(),
              (connection, method, arguments) ->
                  TamperedDataSource.passed(
                      connection, method, mutate(method, arguments, mutated)));
      Outbox outbox = Outbox.create(environment.store());
      try (Connection writer = environment.applications().getConnection()) {
        write(outbox, environment.applications());
        writer.setAutoCommit(false);
        outbox.enqueue(writer, Message.to("orders").text("not committed"));

        assertThatThrownBy(() -> settleAll(environment.open(byInList)))
            .isInstanceOfSatisfying(
                StoreException.class, e -> assertThat(e.isOfItsRows()).as("%s", e).isTrue());
        assertThat(mutated).as("settles by IN list").hasPositiveValue();

        environment.passTime(LEASE.multipliedBy(2));
        assertThat(settleAll(environment.open(environment.applications())))
            .isNotEmpty()
            .allSatisfy(
                (lane, settleResult) ->
                    assertThat(settleResult).isInstanceOf(SettleResult.Settled.class));
        writer.rollback();
      }
    }
  }

  private static Object[] mutate(Method method, Object[] arguments, AtomicInteger mutated) {
    if (method.getName().equals("prepareStatement") && arguments[0] instanceof String sql) {
      String mutant = JOINED.matcher(sql).replaceFirst(IN_LIST);
      mutated.addAndGet(mutant.equals(sql) ? 0 : 1);
      arguments[0] = mutant;
    }
    return arguments;
  }

  private static void write(Outbox outbox, DataSource applications) throws Exception {
    try (Connection connection = applications.getConnection()) {
      connection.setAutoCommit(false);
      outbox.enqueue(
          connection,
          IntStream.range(0, 20).mapToObj(i -> Message.to("orders").text("m" + i)).toList());
      connection.commit();
    }
  }

  private static Map<Lane, SettleResult> settleAll(JdbcStore store) {
    try (LaneStore relay = store.lanes("relay", LEASE)) {
      List<LaneClaim> claims = relay.claim(1);
      List<StoredEnvelope> read =
          relay.read(List.of(new LaneStore.Cursor(new Lane(0), 0, 100)), 1 << 20);
      List<Fate> fates = read.stream().<Fate>map(Fate.Deliver::new).toList();
      assertThat(fates).hasSize(20);
      return relay.settle(
          List.of(new Settlement(claims.get(0).lease(), 0, fates, Settlement.After.RENEW)));
    }
  }
}
