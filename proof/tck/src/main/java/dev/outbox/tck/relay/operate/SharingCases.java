package dev.outbox.tck.relay.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.HoldingPublisher;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Relays that share lanes. */
public abstract class SharingCases extends RelayCases {
  private static final int LANES = 8;

  private final InMemoryBroker other = InMemoryBroker.create();

  protected SharingCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(LANES);
  }

  private static List<Message> oneForEachLane() {
    List<Message> messages = new ArrayList<>();
    for (int lane = 0, number = 0; lane < LANES; number++) {
      Message message = message("key " + number, "text");
      Lane hashed = LaneHash.of(Objects.requireNonNull(message.key()), LANES);
      if (hashed.number() == lane) {
        messages.add(message);
        lane++;
      }
    }
    return messages;
  }

  private static Set<Lane> lanes(InMemoryBroker broker) {
    return broker.messages().stream()
        .map(arrival -> LaneHash.of(Objects.requireNonNull(arrival.key()), LANES))
        .collect(Collectors.toSet());
  }

  @Test
  void two_relays_share_the_lanes_and_the_one_that_stays_takes_all() throws Exception {
    ManualRelay first = started("a");
    ManualRelay second = started(relay("b", other.publisher()));
    share(first, second);
    assertThat(lanes(broker)).hasSize(LANES / 2);
    assertThat(lanes(other)).hasSize(LANES / 2).doesNotContainAnyElementsOf(lanes(broker));
    first.close();
    second.drainNow();
    commit(oneForEachLane());
    second.drainNow();
    assertThat(lanes(other)).hasSize(LANES);
    assertEmpty();
  }

  @Test
  void the_lanes_of_one_that_leaves_are_served_within_two_polls() throws Exception {
    ManualRelay first = started("a");
    ManualRelay second = started(relay("b", other.publisher()));
    share(first, second);
    other.clear();
    first.close();
    commit(oneForEachLane());
    for (int step = 0; step < 20; step++) {
      pass(Duration.ofMillis(100));
      rest(second);
    }
    assertThat(lanes(other)).hasSize(LANES);
    assertEmpty();
  }

  @Test
  void two_relays_share_the_lanes_and_the_one_that_survives_takes_all() throws Exception {
    ManualRelay first = started("a");
    ManualRelay second = started(relay("b", other.publisher()));
    share(first, second);
    first.crash();
    pass(LEASE_IS_OVER);
    commit(oneForEachLane());
    second.drainNow();
    assertThat(lanes(other)).hasSize(LANES);
    assertEmpty();
  }

  private void share(ManualRelay first, ManualRelay second) throws Exception {
    first.drainNow();
    second.drainNow();
    first.drainNow();
    second.drainNow();
    commit(oneForEachLane());
    first.drainNow();
    second.drainNow();
  }

  @Test
  void three_relays_leave_no_lane_without_an_owner() throws Exception {
    List<ManualRelay> relays = List.of(started("a"), started("b"), started("c"));
    for (int round = 0; round < 3; round++) {
      relays.forEach(ManualRelay::drainNow);
    }
    commit(oneForEachLane());
    relays.forEach(ManualRelay::drainNow);
    assertThat(lanes(broker)).hasSize(LANES);
    assertEmpty();
  }

  @Test
  void a_lane_with_a_flight_under_way_is_released_after_it_has_settled() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay first = started(relay("a", publisher));
    commit(oneForEachLane());
    first.drainNow();
    assertThat(publisher.flights()).hasSize(LANES);
    ManualRelay second = started(relay("b", other.publisher()));
    second.drainNow();
    first.drainNow();
    second.drainNow();
    assertThat(other.count()).isZero();
    publisher.answerAll(Ack.delivered());
    first.drainNow();
    second.drainNow();
    commit(oneForEachLane());
    second.drainNow();
    assertThat(lanes(other)).hasSize(LANES / 2);
  }
}
