package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The server and the network fail while messages are on their way. */
abstract class BrokerOutageCases extends BrokerCases {
  private static final int KEYS = 20;
  private static final int EACH = 10;
  private static final Duration SLOW = Duration.ofMillis(100);

  BrokerOutageCases(Opener opener) {
    super(opener);
  }

  private List<Envelope> connected() throws Exception {
    fly(message("before", "before"));
    broker().network().delay(SLOW);
    return takingTurns(KEYS, EACH);
  }

  private static void requireSomeLeft(WatchedFlight flight) {
    assertThat(flight.delivered())
        .as("delivered in spite of the outage")
        .hasSizeLessThan(flight.envelopes().size());
  }

  @Test
  void a_broker_that_is_killed_in_mid_flight_and_restarted_loses_nothing() throws Exception {
    if (broker().outage().isEmpty()) {
      leftOut("outage");
      return;
    }
    List<Envelope> envelopes = connected();
    WatchedFlight flight = inMidFlight(envelopes, broker().outage().get()::takeDown);
    requireNoBlame(flight);
    requireSomeLeft(flight);

    broker().outage().get().bringUp();
    broker().network().restore();
    deliverTheRest(envelopes, flight);
    requireInOrder(KEYS, EACH);
  }

  @Test
  void connections_that_are_cut_in_mid_flight_lose_nothing() throws Exception {
    List<Envelope> envelopes = connected();
    WatchedFlight flight = inMidFlight(envelopes, broker().network()::cut);
    requireNoBlame(flight);
    requireSomeLeft(flight);

    broker().network().restore();
    deliverTheRest(envelopes, flight);
    requireInOrder(KEYS, EACH);
  }

  @Test
  void connections_that_are_reset_in_mid_flight_lose_nothing() throws Exception {
    List<Envelope> envelopes = connected();
    WatchedFlight flight = inMidFlight(envelopes, broker().network()::reset);
    requireNoBlame(flight);

    broker().network().restore();
    deliverTheRest(envelopes, flight);
    requireInOrder(KEYS, EACH);
  }

  @Test
  void a_network_that_falls_silent_is_an_outage_by_the_deadline() throws Exception {
    List<Envelope> envelopes = connected();
    WatchedFlight flight = inMidFlight(envelopes, broker().network()::silence);
    requireNoBlame(flight);
    requireSomeLeft(flight);

    broker().network().reset();
    broker().network().restore();
    deliverTheRest(envelopes, flight);
    requireInOrder(KEYS, EACH);
  }

  @Test
  void what_was_reported_as_failed_and_comes_late_disturbs_no_order() throws Exception {
    fly(message("before", "before"));
    broker().network().delay(environment.deadline().plusSeconds(5));
    List<Envelope> envelopes = takingTurns(KEYS, EACH);
    WatchedFlight flight = during(envelopes, () -> {});
    requireNoBlame(flight);
    assertThat(flight.delivered()).as("answered in spite of the delay").isEmpty();

    broker().network().reset();
    broker().network().restore();
    deliverTheRest(envelopes);
    requireInOrder(KEYS, EACH);
  }

  @Test
  void a_broker_that_is_full_counts_no_attempt_and_takes_it_all_later() throws Exception {
    if (broker().full().isEmpty()) {
      leftOut("full");
      return;
    }
    fly(message("before", "before"));
    broker().full().get().takeDown();
    List<Envelope> envelopes = takingTurns(KEYS, EACH);
    WatchedFlight flight = during(envelopes, () -> {});
    requireNoBlame(flight);
    assertThat(flight.delivered()).as("taken by a broker that is full").isEmpty();

    broker().full().get().bringUp();
    deliverTheRest(envelopes);
    requireInOrder(KEYS, EACH);
  }
}
