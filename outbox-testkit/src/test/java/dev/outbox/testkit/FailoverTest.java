package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.cluster.ClusterState;
import dev.outbox.cluster.Clusters;
import dev.outbox.cluster.Handover;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The database of one of three clusters is replaced by a copy that lacks the last commits, while
 * the others have them: as docs/several-clusters-restore.md says.
 */
final class FailoverTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DELAY = Duration.ofSeconds(10);
  private static final int PATIENCE = 60;

  private final SettableClock clock = SettableClock.create();
  private final List<InMemoryStore> stores =
      IntStream.range(0, 3)
          .mapToObj(
              id ->
                  InMemoryStore.builder()
                      .lanes(1)
                      .clock(clock)
                      .clusters(new Clusters(3, id, DELAY))
                      .build())
          .toList();
  private final Replication replication = Replication.among(stores);
  private final List<ManualRelay> relays = new ArrayList<>();
  private final List<Integer> publishers = new ArrayList<>();
  private boolean isBrokerOf0Away = true;

  private ManualRelay relay(int id) {
    return ManualRelay.builder(stores.get(id), Publisher.blocking(envelope -> publish(id)))
        .name("relay-" + id)
        .clock(clock)
        .lease(SECOND.multipliedBy(4), SECOND)
        .maximumDelay(DELAY)
        .retry(RetryPolicy.exponential(SECOND, SECOND.multipliedBy(2), Duration.ofDays(1)))
        .build();
  }

  private void publish(int id) {
    if (id == 0 && isBrokerOf0Away) {
      throw new IllegalStateException("the broker of 0 is down");
    }
    publishers.add(id);
  }

  private void replicate() {
    for (int from = 0; from < stores.size(); from++) {
      replication.capture(from);
      for (int to = 0; to < stores.size(); to++) {
        while (replication.underWay(from, to) > 0) {
          replication.deliver(from, to);
        }
      }
    }
  }

  private void second() {
    relays.forEach(ManualRelay::drainNow);
    replicate();
    clock.advance(SECOND);
  }

  private void await(BooleanSupplier condition) {
    for (int second = 0; second < PATIENCE && !condition.getAsBoolean(); second++) {
      second();
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  private int standing(int cluster) {
    return stores.get(cluster).readyCount() + stores.get(cluster).parkedCount();
  }

  /** A message of 0 is parked, of which the copy knows nothing: there it is ready. */
  @BeforeEach
  void failOverBehindAPark() throws Exception {
    IntStream.range(0, 3).forEach(id -> relays.add(relay(id)));
    second();
    InMemoryStore store = stores.get(0);
    try (Connection connection = store.begin()) {
      Outbox.create(store).enqueue(connection, Message.to("t").key("k").text("m"));
      connection.commit();
    }
    replicate();
    InMemoryTables inMemoryTables = store.inMemoryTables();
    InMemoryTables.Ready row = inMemoryTables.ready.firstEntry().getValue();
    await(() -> stores.stream().allMatch(each -> each.parkedCount() == 1));
    relays.get(0).crash();
    inMemoryTables.parked.remove(row.id());
    inMemoryTables.ready.put(row.id(), row);
    replication.replaced(0);
  }

  @Test
  void a_relay_on_the_copy_parks_again_what_is_parked_elsewhere() {
    relays.set(0, relay(0));
    assertThatThrownBy(() -> await(() -> false)).hasMessageContaining("conflict");
  }

  @Test
  void a_copy_that_is_handed_over_before_its_relays_run_meets_no_conflict() {
    Handover handover = Handover.create(stores.get(0));
    handover.leave();
    relays.set(0, relay(0));
    await(() -> handover.clusterState() == ClusterState.LEFT);
    await(() -> standing(1) + standing(2) == 0);
    assertThat(publishers).hasSize(1).doesNotContain(0);
    handover.comeBack();
    await(() -> handover.clusterState() == ClusterState.WORKING);
    await(() -> stores.stream().allMatch(each -> each.parkedCount() == 1));
    isBrokerOf0Away = false;
    await(() -> standing(0) + standing(1) + standing(2) == 0);
    assertThat(publishers).hasSize(2).contains(0);
  }
}
