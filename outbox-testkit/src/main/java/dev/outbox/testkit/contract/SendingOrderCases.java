package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the publisher promises of the messages of one key. */
abstract class SendingOrderCases extends PublisherCases {
  private static final List<String> KEYS = List.of("a", "b", "c");

  SendingOrderCases(Opener opener) {
    super(opener);
  }

  /** That many of each key, the keys taking turns. */
  private List<Envelope> takingTurns(int each) {
    List<Envelope> envelopes = new ArrayList<>();
    for (int number = 0; number < each; number++) {
      for (String key : KEYS) {
        envelopes.add(message(key, key + " " + number));
      }
    }
    return envelopes;
  }

  private static List<String> numbers(String key, int from, int to) {
    return IntStream.range(from, to).mapToObj(number -> key + " " + number).toList();
  }

  @Test
  void those_of_a_key_arrive_in_the_order_of_their_flights() throws Exception {
    for (int number = 0; number < 20; number++) {
      fly(message("a", "a " + number), message("b", "b " + number));
    }
    assertThat(arrivedTexts("a")).isEqualTo(numbers("a", 0, 20));
    assertThat(arrivedTexts("b")).isEqualTo(numbers("b", 0, 20));
  }

  @Test
  void those_of_a_key_in_one_flight_arrive_in_order_if_it_is_pipelined() throws Exception {
    if (!isPipelined()) {
      return;
    }
    List<Envelope> envelopes = takingTurns(30);
    assertThat(fly(envelopes).undelivered()).isEmpty();
    for (String key : KEYS) {
      assertThat(arrivedTexts(key)).isEqualTo(numbers(key, 0, 30));
    }
  }

  @Test
  void after_one_that_was_not_delivered_no_later_one_of_its_key_is_if_it_is_pipelined()
      throws Exception {
    if (!isPipelined()) {
      return;
    }
    if (environment.refusal().isEmpty()) {
      leftOut("refusal");
      return;
    }
    List<Envelope> envelopes = takingTurns(5);
    Envelope refused = envelopes.get(6);
    environment.refusal().get().refuse(refused.id()::equals);

    WatchedFlight flight = fly(envelopes);

    Set<Envelope> held = Set.of(refused, envelopes.get(9), envelopes.get(12));
    assertThat(envelopes.stream().filter(held::contains).map(Envelope::id))
        .as("the refused one of key a and those behind it")
        .doesNotContainAnyElementsOf(flight.delivered());
    assertThat(arrivedTexts("a"))
        .as("a later one of the key must not arrive before the one that failed")
        .isEqualTo(numbers("a", 0, 2));
    assertThat(arrivedTexts("b")).isEqualTo(numbers("b", 0, 5));
    assertThat(arrivedTexts("c")).isEqualTo(numbers("c", 0, 5));
  }
}
