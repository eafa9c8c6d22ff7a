package dev.outbox.internal.relay.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TickerTest {
  private static final Instant WALL = Samples.START;

  @Test
  void the_larger_of_both_clocks_counts() {
    Ticker.Moment before = new Ticker.Moment(1_000, WALL);

    assertThat(new Ticker.Moment(1_000, WALL.plusSeconds(3)).since(before))
        .as("suspended: only the wall went on")
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(new Ticker.Moment(2_000_001_000, WALL.minusSeconds(3600)).since(before))
        .as("the wall was set back")
        .isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void what_is_waited_for_passes_by_the_clock_that_nobody_sets() {
    Ticker.Moment before = new Ticker.Moment(1_000, WALL);

    assertThat(new Ticker.Moment(1_000_001_000, WALL.plusSeconds(3600)).surelySince(before))
        .isEqualTo(Duration.ofSeconds(1));
    assertThat(new Ticker.Moment(1_000_001_000, WALL.minusSeconds(3600)).surelySince(before))
        .isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void the_monotonic_clock_may_overflow() {
    Ticker.Moment before = new Ticker.Moment(Long.MAX_VALUE, WALL);

    assertThat(new Ticker.Moment(Long.MIN_VALUE + 9, WALL).since(before))
        .isEqualTo(Duration.ofNanos(10));
  }

  @Test
  void one_source_drives_both_clocks_of_a_test() {
    Instant[] now = {WALL};
    Ticker ticker = Ticker.of(() -> now[0]);
    Ticker.Moment before = ticker.now();

    now[0] = WALL.plusMillis(5);

    assertThat(ticker.now().since(before)).isEqualTo(Duration.ofMillis(5));
  }

  @Test
  void nanoseconds_are_those_of_the_duration() {
    for (Ticker.Moment before : moments()) {
      for (Ticker.Moment after : moments()) {
        assertThat(after.nanosSince(before))
            .as("%s since %s", after, before)
            .isEqualTo(after.since(before).toNanos());
      }
    }
  }

  private static List<Ticker.Moment> moments() {
    List<Ticker.Moment> moments = new ArrayList<>();
    for (long nanos : new long[] {0, 1, 999_999_999, 5_000_000_001L}) {
      for (Duration wall : List.of(Duration.ZERO, Duration.ofNanos(7), Duration.ofDays(-9_000))) {
        moments.add(new Ticker.Moment(nanos, WALL.plus(wall).plusNanos(nanos)));
        moments.add(new Ticker.Moment(nanos, WALL.minus(wall)));
      }
    }
    return moments;
  }

  @Test
  void a_clock_set_by_centuries_is_far_and_no_error() {
    Ticker.Moment before = new Ticker.Moment(0, WALL);

    assertThat(new Ticker.Moment(1, Instant.MAX).nanosSince(before))
        .isGreaterThan(Duration.ofDays(100_000).toNanos());
    assertThat(new Ticker.Moment(1, Instant.MIN).nanosSince(before)).isEqualTo(1);
  }
}
