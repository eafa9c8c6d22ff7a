package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.cluster.Clusters;
import dev.outbox.cluster.Origin;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.lane.Lane;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The first of three clusters is gone with more than can be taken over at once, and one of the
 * others begins with it a step later than the other.
 */
final class LateTakerTest {
  private static final int CLUSTERS = 3;
  private static final int LANES = 2;
  private static final int BACKLOG = 4_600;
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final int DELAY = 10;
  private static final int DEATH = 5;
  private static final Payload PAYLOAD = new Payload("text/plain", new byte[0]);

  private final SettableClock clock = SettableClock.create();
  private final List<InMemoryStore> stores = new ArrayList<>();
  private final ManualRelay[] relays = new ManualRelay[CLUSTERS];
  private final List<MessageId> published = new ArrayList<>();

  private ManualRelay relay(int cluster, String name) {
    return ManualRelay.builder(
            stores.get(cluster), Publisher.blocking(envelope -> published.add(envelope.id())))
        .name(name)
        .clock(clock)
        .lease(TICK.multipliedBy(4), TICK)
        .maximumDelay(TICK.multipliedBy(DELAY))
        .build();
  }

  private void writeBacklog() {
    InMemoryTables inMemoryTables = stores.get(0).inMemoryTables();
    for (int i = 0; i < BACKLOG * LANES; i++) {
      Envelope envelope =
          new Envelope(MessageId.next(), "t", null, Map.of(), PAYLOAD, null)
              .from(new Origin(0, false));
      long id = inMemoryTables.nextId();
      inMemoryTables.ready.put(
          id, new InMemoryTables.Ready(id, new Lane(i % LANES), envelope, clock.instant()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void who_comes_next_waits_while_the_first_works_through_a_backlog(int late) {
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
      Clusters clusters = new Clusters(CLUSTERS, cluster, TICK.multipliedBy(DELAY));
      stores.add(InMemoryStore.builder().lanes(LANES).clock(clock).clusters(clusters).build());
      relays[cluster] = relay(cluster, "relay-" + cluster);
    }
    Replication replication = Replication.among(stores);
    for (int tick = 0; tick < 100 && published.size() < BACKLOG * LANES; tick++) {
      if (tick == DEATH) {
        relays[0].crash();
        writeBacklog();
      }
      if (tick == DEATH + DELAY - 1) {
        relays[late].crash();
        relays[late] = relay(late, "late");
      }
      for (int cluster = tick < DEATH ? 0 : 1; cluster < CLUSTERS; cluster++) {
        relays[cluster].turn();
      }
      replicate(replication);
      clock.advance(TICK);
    }
    assertThat(stores.get(1).inMemoryTables().notes.size()).isEqualTo(BACKLOG * LANES);
    assertThat(published.size()).isEqualTo(BACKLOG * LANES);
    assertThat(Set.copyOf(published).size()).isEqualTo(BACKLOG * LANES);
  }

  private static void replicate(Replication replication) {
    for (int from = 0; from < CLUSTERS; from++) {
      replication.capture(from);
      for (int to = 0; to < CLUSTERS; to++) {
        while (from != to && replication.underWay(from, to) > 0) {
          replication.deliver(from, to);
        }
      }
    }
  }
}
