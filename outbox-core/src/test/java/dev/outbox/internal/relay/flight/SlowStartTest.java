package dev.outbox.internal.relay.flight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.CountingObserver;
import dev.outbox.internal.relay.Samples;
import dev.outbox.publish.Ack;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlowStartTest {
  private static final Ack DOWN = Ack.unavailable(new IllegalStateException("down"));
  private static final Ack NO = Ack.failed(new IllegalStateException("no"));

  private final SlowStart slowStart = new SlowStart();

  @Test
  void flights_are_as_large_as_fits() {
    fly(Ack.delivered(), Ack.delivered());

    assertThat(slowStart.of(500)).isEqualTo(500);
  }

  @Test
  void after_a_flight_that_an_outage_took_they_begin_with_one_and_double() {
    fly(DOWN, DOWN, DOWN);
    assertThat(slowStart.of(500)).isEqualTo(1);

    List<Integer> sizes =
        IntStream.range(0, 9)
            .map(
                flight -> {
                  fly(Ack.delivered());
                  return slowStart.of(500);
                })
            .boxed()
            .toList();
    assertThat(sizes).containsExactly(2, 4, 8, 16, 32, 64, 128, 256, 500);
    IntStream.range(0, 100).forEach(flight -> fly(Ack.delivered()));
    assertThat(slowStart.of(500)).isEqualTo(500);
  }

  @Test
  void a_flight_of_which_one_was_delivered_gets_on() {
    fly(DOWN, Ack.delivered(), DOWN);

    assertThat(slowStart.of(500)).isEqualTo(500);
  }

  @Test
  void failures_are_no_outage() {
    fly(NO, NO);
    fly(Ack.rejected("no"));

    assertThat(slowStart.of(500)).isEqualTo(500);
  }

  private void fly(Ack... acks) {
    List<StoredEnvelope> aboard =
        IntStream.range(0, acks.length).mapToObj(place -> Samples.ready(place + 1, null)).toList();
    OpenFlight flight = new OpenFlight(aboard, 1, new CountingObserver());
    flight.takeOff(Samples.atSecond(0), Duration.ofSeconds(30));
    for (int place = 0; place < acks.length; place++) {
      flight.ack(flight.envelopes().get(place), acks[place]);
    }
    slowStart.learn(flight);
  }
}
