package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the broker does not take, and what it takes in numbers. */
abstract class BrokerTakingCases extends BrokerCases {
  private static final int KEYS = 10;
  private static final int EACH = 3;

  BrokerTakingCases(Opener opener) {
    super(opener);
  }

  /** A flight with {@code odd} in the middle of good ones, and all good ones delivered. */
  private WatchedFlight flyAround(Envelope odd) throws Exception {
    List<Envelope> good = takingTurns(KEYS, EACH);
    List<Envelope> envelopes = new ArrayList<>(good);
    envelopes.add(KEYS, odd);
    WatchedFlight flight = during(envelopes, () -> {});
    deliverTheRest(good, flight);
    requireInOrder(KEYS, EACH);
    assertThat(arrivedIds()).doesNotContain(odd.id());
    return flight;
  }

  private static boolean isOffered(Optional<Envelope> odd, String name) {
    if (odd.isEmpty()) {
      leftOut(name);
    }
    return odd.isPresent();
  }

  @Test
  void a_message_that_is_too_large_is_rejected_and_keeps_nothing_back() throws Exception {
    if (isOffered(broker().tooLarge(), "tooLarge")) {
      Envelope large = broker().tooLarge().get();
      WatchedFlight flight = flyAround(large);
      assertThat(flight.answer(large)).isInstanceOf(Ack.Rejected.class);
      assertThat(flight.delivered()).hasSize(KEYS * EACH);
    }
  }

  @Test
  void a_message_without_a_destination_is_unavailable_and_keeps_nothing_back() throws Exception {
    if (isOffered(broker().unknownDestination(), "unknownDestination")) {
      Envelope lost = broker().unknownDestination().get();
      WatchedFlight flight = flyAround(lost);
      assertThat(flight.answer(lost))
          .isInstanceOfSatisfying(
              Ack.Unavailable.class,
              ack -> assertThat(ack.cause().getMessage()).contains(lost.topic()));
    }
  }

  @Test
  void a_hot_key_arrives_in_order() throws Exception {
    List<Envelope> envelopes = takingTurns(1, 500);
    deliverTheRest(envelopes, during(envelopes, () -> {}));
    requireInOrder(1, 500);
  }

  @Test
  void a_thousand_keys_arrive_each_in_order() throws Exception {
    List<Envelope> envelopes = takingTurns(1000, 3);
    deliverTheRest(envelopes, during(envelopes, () -> {}));
    requireInOrder(1000, 3);
  }
}
