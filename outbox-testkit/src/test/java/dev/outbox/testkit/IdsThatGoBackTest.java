package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.cluster.Clusters;
import dev.outbox.message.Message;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.cluster.ClusterStore.Extent;
import dev.outbox.spi.cluster.ClusterView;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A cluster whose database is an older copy gives ids again, of which others have notes. */
final class IdsThatGoBackTest {
  private static final Duration SILENCE = Duration.ofMinutes(10);

  private static InMemoryStore store(int cluster) {
    return InMemoryStore.builder().lanes(1).clusters(Clusters.of(2, cluster)).build();
  }

  private static void write(InMemoryStore store) throws SQLException {
    try (Connection connection = store.begin()) {
      Outbox.create(store).enqueue(connection, Message.to("t").text("m"));
      connection.commit();
    }
  }

  private static void replicate(InMemoryStore from, InMemoryStore to) throws SQLException {
    Replication replication = Replication.among(List.of(from, to));
    write(from);
    replication.capture(0);
    replication.deliver(0, 1);
  }

  @Test
  void a_new_message_with_an_id_that_was_taken_over_is_kept_and_taken_over_too()
      throws SQLException {
    InMemoryStore taker = store(1);
    replicate(store(0), taker);
    try (LaneStore relay = taker.lanes("a", Duration.ofMinutes(1))) {
      ClusterStore clusters = relay.clusters();
      ClusterView roll = clusters.beat(SILENCE, Map.of());
      Lease lease = relay.claim(1).get(0).lease();
      assertThat(clusters.adopt(lease, new Lane(0), roll, Extent.ALL, 9)).isEqualTo(1);
      replicate(store(0), taker);
      assertThat(clusters.sweep(SILENCE)).isZero();
      assertThat(clusters.adopt(lease, new Lane(0), roll, Extent.ALL, 9)).isEqualTo(1);
    }
    assertThat(taker.inMemoryTables().notes).hasSize(2);
    assertThat(taker.readyCount()).isEqualTo(2);
  }
}
