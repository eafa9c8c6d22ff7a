package dev.outbox.internal.relay.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.Samples;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DutyCycleTest {
  private Instant now = Samples.START;
  private final Ticker ticker = Ticker.of(() -> now);
  private final DutyCycle dutyCycle = new DutyCycle(Duration.ofMillis(10), 20);

  @Test
  void the_first_time_is_now_and_the_next_after_the_least_time() {
    assertThat(dutyCycle.begins(ticker.now())).isTrue();
    pass(9);
    assertThat(dutyCycle.begins(ticker.now())).isFalse();
    pass(1);
    assertThat(dutyCycle.begins(ticker.now())).isTrue();
  }

  @Test
  void what_takes_long_comes_seldom_and_often_again_once_it_is_quick() {
    dutyCycle.begins(ticker.now());
    dutyCycle.took(Duration.ofMillis(3));
    pass(59);
    assertThat(dutyCycle.begins(ticker.now())).isFalse();
    pass(1);
    assertThat(dutyCycle.begins(ticker.now())).isTrue();

    dutyCycle.took(Duration.ofNanos(1000));
    pass(10);
    assertThat(dutyCycle.begins(ticker.now())).isTrue();
  }

  private void pass(int millis) {
    now = now.plusMillis(millis);
  }
}
