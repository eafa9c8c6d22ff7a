package dev.outbox.internal.relay.topic;

import static dev.outbox.internal.relay.Samples.at;
import static dev.outbox.internal.relay.Samples.atSecond;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitTest {
  private final RateLimit rateLimit = new RateLimit();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100, 1000})
  void lets_so_many_go_a_second_and_no_more(int perSecond) {
    int gone = 0;
    for (int milli = 0; milli < 20_000; milli++) {
      gone += goAllAt(perSecond, Duration.ofMillis(milli));
    }

    assertThat(gone).isBetween(19 * perSecond, 20 * perSecond + perSecond / 2 + 1);
  }

  @Test
  void saves_up_no_more_than_half_a_second() {
    goAllAt(100, Duration.ZERO);

    assertThat(goAllAt(100, Duration.ofHours(1))).isEqualTo(50);
  }

  @Test
  void saves_up_at_least_one_however_slow_it_is() {
    goAllAt(1, Duration.ZERO);

    assertThat(goAllAt(1, Duration.ofHours(1))).isEqualTo(1);
  }

  @Test
  void lets_them_go_in_handfuls_a_quarter_of_a_second_apart() {
    List<Integer> handfuls = new ArrayList<>();
    for (int milli = 0; milli < 1000; milli++) {
      int gone = goAllAt(100, Duration.ofMillis(milli));
      if (gone > 0) {
        handfuls.add(milli);
      }
    }

    assertThat(handfuls).containsExactly(0, 250, 500, 750);
  }

  @Test
  void gives_its_turn_back_to_one_that_was_withdrawn() {
    goAllAt(1, Duration.ofSeconds(1));
    rateLimit.withdrawn();

    assertThat(rateLimit.lets(1, at(Duration.ofMillis(1250)))).isTrue();
  }

  @Test
  void lends_nothing_to_a_clock_that_was_set_back() {
    assertThat(rateLimit.lets(4, atSecond(100))).isTrue();
    rateLimit.used();

    assertThat(rateLimit.lets(4, atSecond(0))).isFalse();
  }

  private int goAllAt(int perSecond, Duration time) {
    int gone = 0;
    while (rateLimit.lets(perSecond, at(time))) {
      rateLimit.used();
      gone++;
    }
    return gone;
  }
}
