package dev.outbox.tck.relay.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.StoreException;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.FaultyStore;
import dev.outbox.tck.fixture.HoldingPublisher;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.Arrival;
import dev.outbox.testkit.ManualRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Lanes of relays that crash or lose their lease are taken over. */
public abstract class TakeoverCases extends RelayCases {
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
  void a_crashed_relays_lanes_are_taken_over_and_only_what_was_in_flight_is_repeated()
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
}
