package dev.outbox.tck.relay.operate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.StoreException;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.FaultyStore;
import dev.outbox.tck.fixture.HoldingPublisher;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.Arrival;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Relays that crash, freeze, come and go. */
public abstract class TakeoverCases extends RelayCases {
  private static final Duration LEASE_IS_OVER = LEASE.plusSeconds(1);

  protected TakeoverCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(1);
  }

  /** Sends to the broker; answers the first {@code answered} flights only. */
  private Publisher silentAfter(int answered, List<Flight> flights) {
    return new Publisher() {
      @Override
      public void publish(Flight flight) throws Exception {
        flights.add(flight);
        for (Envelope envelope : flight.envelopes()) {
          broker.receive(envelope);
          if (flights.size() <= answered) {
            flight.ack(envelope, Ack.delivered());
          }
        }
      }

      @Override
      public Ordering ordering() {
        return Ordering.PIPELINED;
      }
    };
  }

  @Test
  void a_broker_that_fences_can_tell_the_zombie_from_its_successor() throws Exception {
    Map<String, List<Long>> tokens = new HashMap<>();
    ManualRelay zombie = started(relay("a", noting(tokens, "a")));
    commit(message("k", "k 0"));
    zombie.drainNow();
    commit(message("k", "k 1"));
    zombie.drainNow();
    pass(LEASE.plusSeconds(1));
    ManualRelay successor = started(relay("b", noting(tokens, "b")));
    successor.drainNow();
    assertThat(tokens.get("a")).hasSize(1);
    assertThat(requireNonNull(tokens.get("b")).get(0))
        .isGreaterThan(requireNonNull(tokens.get("a")).get(0));
  }

  /** Keeps all in flight. */
  private static Publisher noting(Map<String, List<Long>> tokens, String relay) {
    return flight ->
        tokens
            .computeIfAbsent(relay, name -> new ArrayList<>())
            .add(flight.fencingToken().orElseThrow());
  }

  @Test
  void a_crashed_relays_lanes_are_taken_over_and_only_what_was_in_the_air_is_repeated()
      throws Exception {
    commit(numbered("a", 40));
    List<Flight> flights = new ArrayList<>();
    ManualRelay crashing = started(relay("a", silentAfter(2, flights)).batch(10));
    crashing.drainNow();
    assertThat(broker.count()).isEqualTo(30);
    crashing.crash();
    ManualRelay next = started("b");
    next.drainNow();
    assertThat(broker.count()).isEqualTo(30);
    pass(LEASE_IS_OVER);
    next.drainNow();
    assertThat(broker.repeats().keySet())
        .isEqualTo(
            flights.get(2).envelopes().stream().map(Envelope::id).collect(Collectors.toSet()));
    assertThat(broker.firstArrivals().stream().map(Arrival::text)).isEqualTo(numbers("a", 40));
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  @Test
  void a_crash_before_the_lease_ends_makes_nobody_else_the_owner() throws Exception {
    commit(numbered("a", 3));
    ManualRelay crashing = started(relay("a", holding()));
    crashing.drainNow();
    crashing.crash();
    ManualRelay next = started("b");
    pass(LEASE.minusSeconds(5));
    next.drainNow();
    assertThat(texts()).isEmpty();
    pass(Duration.ofSeconds(6));
    next.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 3));
  }

  @Test
  void a_relay_that_works_keeps_its_lease_however_long() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay working = started(relay("a", publisher).publishDeadline(Duration.ofMinutes(10)));
    ManualRelay waiting = started("b");
    commit(numbered("a", 3));
    working.drainNow();
    for (int second = 0; second < 60; second += 5) {
      pass(RENEWAL);
      working.turn();
      waiting.drainNow();
    }
    assertThat(texts()).isEmpty();
    publisher.answerAll(Ack.delivered());
    working.turn();
    waiting.drainNow();
    assertThat(texts()).isEmpty();
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  @Test
  void a_zombies_delivered_deletes_nothing_that_the_new_owner_parked() throws Exception {
    HoldingPublisher stuck = holding();
    ManualRelay zombie = takenOver(stuck);
    broker.failNext(1, new IllegalStateException("no room"));
    ManualRelay owner = started("b");
    owner.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 3, 0, 0));
    stuck.answerAll(Ack.delivered());
    zombie.drainNow();
    assertThat(countingListener.fenced).containsExactly(0);
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 3, 0, 0));
    pass(REST);
    owner.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 3));
    assertEmpty();
  }

  @Test
  void a_zombies_delivered_deletes_nothing_that_the_new_owner_has_in_the_air() throws Exception {
    HoldingPublisher stuck = holding();
    ManualRelay zombie = takenOver(stuck);
    HoldingPublisher publisher = holding();
    ManualRelay owner = started(relay("b", publisher));
    owner.drainNow();
    assertThat(publisher.texts()).isEqualTo(numbers("a", 3));
    stuck.answerAll(Ack.delivered());
    zombie.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(3, 0, 0, 0));
    publisher.answerAll(Ack.failed(new IllegalStateException("no room")));
    owner.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 3, 0, 0));
    assertThat(countingListener.missing).hasValue(0);
  }

  @Test
  void a_zombies_rejection_buries_nothing() throws Exception {
    HoldingPublisher stuck = holding();
    ManualRelay zombie = takenOver(stuck);
    HoldingPublisher publisher = holding();
    ManualRelay owner = started(relay("b", publisher));
    owner.drainNow();
    stuck.answerAll(Ack.rejected("no such account"));
    zombie.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(3, 0, 0, 0));
    publisher.answerAll(Ack.delivered());
    owner.drainNow();
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  @Test
  void a_zombies_failure_parks_nothing() throws Exception {
    HoldingPublisher stuck = holding();
    ManualRelay zombie = takenOver(stuck);
    ManualRelay owner = started("b");
    stuck.answerAll(Ack.failed(new IllegalStateException("no room")));
    commit(message("a", "a 3"));
    owner.turn();
    zombie.drainNow();
    assertThat(tableCounts().parked()).isZero();
    owner.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 4));
    assertEmpty();
  }

  /** A relay by a clock that stands still, with three messages in flight and its lease over. */
  private ManualRelay takenOver(HoldingPublisher publisher) throws Exception {
    commit(numbered("a", 3));
    ManualRelay zombie = started(relay("zombie", publisher).clock(SettableClock.create()));
    zombie.drainNow();
    assertThat(publisher.texts()).isEqualTo(numbers("a", 3));
    pass(LEASE_IS_OVER);
    ManualRelay thief = started(relay("thief", holding()));
    thief.drainNow();
    thief.crash();
    pass(LEASE_IS_OVER);
    return zombie;
  }

  @Test
  void a_zombie_works_again_once_it_has_a_new_lease() throws Exception {
    HoldingPublisher stuck = holding();
    ManualRelay zombie = takenOver(stuck);
    ManualRelay owner = started("b");
    owner.drainNow();
    stuck.answerAll(Ack.delivered());
    zombie.drainNow();
    owner.close();
    commit(message("a", "a 3"));
    zombie.drainNow();
    assertThat(stuck.flight(stuck.flights().size() - 1).envelopes())
        .extracting(envelope -> envelope.payload().text())
        .containsExactly("a 3");
  }

  @Test
  void nothing_takes_off_when_the_lease_is_no_longer_sure() throws Exception {
    HoldingPublisher publisher = new HoldingPublisher(Ordering.ONE_PER_KEY);
    ManualRelay relay = started(relay("a", publisher));
    commit(numbered("a", 3));
    relay.drainNow();
    pass(LEASE_IS_OVER);
    publisher.answerAll(Ack.delivered());
    FaultyStore.Fault unheard = FaultyStore.Fault.BEFORE;
    store().failSettles(unheard, unheard, unheard); // a renewal follows a settle that fails
    assertThatThrownBy(relay::turn).isInstanceOf(StoreException.class);
    assertThatThrownBy(relay::turn).isInstanceOf(StoreException.class);
    assertThat(publisher.texts()).containsExactly("a 0");
    ManualRelay next = started("b");
    next.drainNow();
    relay.drainNow();
    assertThat(publisher.texts()).containsExactly("a 0");
    assertThat(texts("a")).isEqualTo(numbers("a", 3));
    assertEmpty();
  }

  /** Relays that share lanes. */
  public abstract static class Sharing extends RelayCases {
    private static final int LANES = 8;

    protected Sharing(Opener opener) {
      super(opener);
    }

    @Override
    protected StoreSetting setting() {
      return StoreSetting.lanes(LANES);
    }

    private final InMemoryBroker other = InMemoryBroker.create();

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
    void a_lane_with_a_flight_in_the_air_is_given_back_after_it_has_settled() throws Exception {
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
}
