package dev.outbox.internal.relay.flight;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FlightSizeTest {
  private final FlightSize size = new FlightSize(Duration.ofSeconds(30), 500);

  @Test
  void starts_small_and_never_above_the_batch() {
    assertThat(size.get()).isEqualTo(32);
    assertThat(new FlightSize(Duration.ofSeconds(30), 5).get()).isEqualTo(5);
  }

  @Test
  void fits_what_the_publisher_moves_in_a_quarter_of_the_deadline() {
    size.learn(32, Duration.ofMillis(3200));

    assertThat(size.get()).isEqualTo(75);
  }

  @Test
  void grows_at_most_fourfold_at_a_time_up_to_the_batch() {
    size.learn(32, Duration.ZERO);
    assertThat(size.get()).isEqualTo(128);
    size.learn(128, Duration.ofNanos(1));
    assertThat(size.get()).isEqualTo(500);
  }

  @Test
  void never_falls_below_one_and_recovers() {
    size.learn(32, Duration.ofDays(1000));
    assertThat(size.get()).isEqualTo(1);
    size.learn(1, Duration.ofMillis(1));
    assertThat(size.get()).isEqualTo(4);
  }
}
