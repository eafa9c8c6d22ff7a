package dev.outbox.internal.relay.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.Samples;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryTimesTest {
  private final RetryTimes times = new RetryTimes(Samples.at(Duration.ZERO));

  @Test
  void of_very_many_it_knows_the_first() {
    for (int millis = 1000; millis > 0; millis--) {
      times.add(Duration.ofMillis(millis), Samples.at(Duration.ZERO));
    }

    for (int millis = 1; millis <= 100; millis++) {
      assertThat(times.untilNext(Samples.at(Duration.ZERO))).isEqualTo(Duration.ofMillis(millis));
      times.passed(Samples.at(Duration.ofMillis(millis)));
    }
    assertThat(times.untilNext(Samples.at(Duration.ZERO))).isGreaterThan(Duration.ofDays(1));
  }

  @Test
  void one_that_has_come_and_was_not_looked_for_is_late() {
    times.add(Duration.ofMillis(5), Samples.at(Duration.ofMillis(10)));

    assertThat(times.untilNext(Samples.at(Duration.ofMillis(20)))).isEqualTo(Duration.ofMillis(-5));
  }

  @Test
  void a_message_without_a_rest_is_not_tried_in_every_turn() {
    times.add(Duration.ZERO, Samples.at(Duration.ZERO));

    assertThat(times.untilNext(Samples.at(Duration.ofDays(1)))).isGreaterThan(Duration.ofDays(1));
  }
}
