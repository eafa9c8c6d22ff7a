package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.LaneClaim;
import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A relay leases many lanes in one round trip, if the driver tells the counts of a batch. */
class LanesAtOnceTest {
  private static final int LANES = 32;
  private static final String LEASE = "epoch = epoch + 1";

  private final AtomicInteger updates = new AtomicInteger();
  private final AtomicInteger batches = new AtomicInteger();

  @Test
  void all_lanes_are_leased_by_one_batch() throws Exception {
    assertThat(claimed(false)).hasSize(LANES).allMatch(claim -> claim.lease().epoch() == 1);

    assertThat(batches).hasValue(1);
    assertThat(updates).hasValue(0);
  }

  @Test
  void where_the_driver_keeps_the_counts_they_are_leased_one_by_one() throws Exception {
    assertThat(claimed(true)).hasSize(LANES).allMatch(claim -> claim.lease().epoch() == 1);

    assertThat(updates).hasValue(LANES);
  }

  private List<LaneClaim> claimed(boolean keepsCounts) throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      DataSource watched =
          new TamperedDataSource(
              sandbox.dataSource(),
              (connection, method, arguments) -> {
                Object answer = TamperedDataSource.passed(connection, method, arguments);
                return answer instanceof PreparedStatement lease
                        && arguments[0].toString().contains(LEASE)
                    ? watched(lease, keepsCounts)
                    : answer;
              });
      try (LaneStore lanes = JdbcStore.create(watched).lanes("relay", Duration.ofSeconds(15))) {
        return lanes.claim(LANES, Set.of());
      }
    }
  }

  private Object watched(PreparedStatement lease, boolean keepsCounts) {
    return Proxy.newProxyInstance(
        PreparedStatement.class.getClassLoader(),
        new Class<?>[] {PreparedStatement.class},
        (proxy, method, arguments) -> {
          Object answer = TamperedDataSource.passed(lease, method, arguments);
          if (method.getName().equals("executeUpdate")) {
            updates.incrementAndGet();
          } else if (answer instanceof int[] counts) {
            batches.incrementAndGet();
            if (keepsCounts) {
              Arrays.fill(counts, Statement.SUCCESS_NO_INFO);
            }
          }
          return answer;
        });
  }
}
