package dev.outbox.internal.relay.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.lane.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WakeupQueueTest {
  private static final Lane ONE = new Lane(1);
  private static final Lane TWO = new Lane(2);
  private static final Duration A_DAY = Duration.ofDays(1);

  private Instant now = Samples.START;
  private int signals;
  private final Ticker ticker = Ticker.of(() -> now);
  private final WakeupQueue queue = new WakeupQueue(() -> signals++, ticker);

  @Nested
  class A_wake_up {
    @Test
    void rings_its_lanes_once() {
      queue.woken(Set.of(ONE));
      queue.woken(Set.of(ONE, TWO));

      assertThat(take()).isEqualTo(new WakeupQueue.Woken(Set.of(ONE, TWO), false));
      assertThat(take().isNone()).isTrue();
    }

    @Test
    void from_anywhere_is_for_all_lanes_when_nobody_left_a_hint() {
      queue.woken(Set.of());

      assertThat(take()).isEqualTo(new WakeupQueue.Woken(Set.of(), true));
      assertThat(take().isNone()).isTrue();
    }

    @Test
    void ends_a_rest_with_one_signal() {
      rest();
      queue.woken(Set.of(ONE));
      queue.woken(Set.of(TWO));

      assertThat(signals).isEqualTo(1);
    }

    @Test
    void needs_no_signal_while_the_loop_works_but_keeps_it_from_resting() {
      take();
      queue.woken(Set.of(ONE));

      assertThat(signals).isZero();
      assertThat(rest()).isZero();
    }

    @Test
    void between_the_plan_and_the_rest_is_signalled() {
      take();
      rest();
      queue.woken(Set.of());

      assertThat(signals).isEqualTo(1);
    }
  }

  @Nested
  class A_hint {
    @Test
    void is_looked_after_in_steps_and_then_forgotten() {
      queue.hinted(Set.of(ONE));

      assertThat(looks()).containsExactly(1L, 2L, 4L, 8L, 16L);
      assertThat(rest()).isEqualTo(A_DAY);
    }

    @Test
    void is_no_news_yet() {
      queue.hinted(Set.of(ONE));

      assertThat(take().isNone()).isTrue();
      assertThat(rest()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void of_a_lane_whose_news_was_found_is_over() {
      queue.hinted(Set.of(ONE, TWO));
      after(1);
      take();
      queue.found(Set.of(ONE));
      after(1);

      assertThat(take().lanes()).containsExactly(TWO);
    }

    @Test
    void that_came_after_the_question_outlives_what_was_found() {
      queue.hinted(Set.of(ONE));
      after(1);
      take();
      queue.hinted(Set.of(ONE));
      queue.found(Set.of(ONE));

      assertThat(looks()).containsExactly(1L, 2L, 4L, 8L, 16L);
    }

    @Test
    void of_a_second_transaction_outlives_the_news_of_the_first() {
      queue.hinted(Set.of(ONE));
      queue.hinted(Set.of(ONE));
      after(1);
      take();
      queue.found(Set.of(ONE));
      assertThat(rest()).isEqualTo(Duration.ofMillis(1));

      queue.found(Set.of(ONE));
      assertThat(rest()).isEqualTo(A_DAY);
    }

    @Test
    void never_puts_off_the_look_of_an_earlier_one() {
      queue.hinted(Set.of(ONE));
      for (int micros = 0; micros < 900; micros += 100) {
        now = now.plusNanos(100_000);
        queue.hinted(Set.of(ONE));
      }
      now = now.plusNanos(100_000);

      assertThat(take().lanes()).containsExactly(ONE);
    }

    @Test
    void starts_the_steps_again() {
      queue.hinted(Set.of(ONE));
      after(7);
      take();
      queue.hinted(Set.of(ONE));

      assertThat(looks()).containsExactly(1L, 2L, 4L, 8L, 16L);
    }

    @Test
    void is_looked_after_once_when_the_loop_was_paused_for_long() {
      queue.hinted(Set.of(ONE));
      after(1000);

      assertThat(take().lanes()).containsExactly(ONE);
      assertThat(rest()).isEqualTo(A_DAY);
    }

    @Test
    void signals_only_a_loop_that_would_sleep_past_it() {
      rest();
      queue.hinted(Set.of(ONE));
      queue.hinted(Set.of(TWO));
      assertThat(signals).isEqualTo(1);

      take();
      queue.hinted(Set.of(TWO));
      assertThat(signals).isEqualTo(1);

      rest();
      queue.hinted(Set.of(new Lane(3)));
      assertThat(signals).as("the loop comes for the others in time").isEqualTo(1);
    }

    @Test
    void of_no_lane_is_none() {
      queue.hinted(Set.of());

      assertThat(rest()).isEqualTo(A_DAY);
    }
  }

  @Nested
  class A_wake_up_from_anywhere_after_hints {
    @Test
    void rings_the_hinted_lanes_only() {
      queue.hinted(Set.of(ONE));
      queue.woken(Set.of());

      assertThat(take()).isEqualTo(new WakeupQueue.Woken(Set.of(ONE), false));
    }

    @Test
    void remembers_the_lane_of_a_long_transaction() {
      queue.hinted(Set.of(ONE));
      looks();
      after(60_000);
      queue.woken(Set.of());

      assertThat(take()).isEqualTo(new WakeupQueue.Woken(Set.of(ONE), false));
    }

    @Test
    void rings_everywhere_again_once_the_news_was_found() {
      queue.hinted(Set.of(ONE));
      looks();
      queue.found(Set.of(ONE));
      queue.woken(Set.of());

      assertThat(take().everywhere()).isTrue();
    }

    @Test
    void looks_everywhere_soon_when_the_hinted_lanes_had_no_news() {
      queue.hinted(Set.of(ONE));
      looks();
      queue.woken(Set.of());
      take();

      assertThat(rest()).isEqualTo(Duration.ofMillis(4));
      after(4);
      assertThat(take().everywhere()).isTrue();
      assertThat(rest()).isEqualTo(A_DAY);
    }

    @Test
    void is_still_in_doubt_when_news_came_from_another_lane() {
      queue.hinted(Set.of(ONE));
      looks();
      queue.woken(Set.of());
      take();
      queue.found(Set.of(TWO));

      assertThat(rest()).isEqualTo(Duration.ofMillis(4));
    }

    @Test
    void looks_no_further_when_the_hinted_lanes_had_news() {
      queue.hinted(Set.of(ONE));
      looks();
      queue.woken(Set.of());
      take();
      queue.found(Set.of(ONE));

      assertThat(rest()).isEqualTo(A_DAY);
    }

    @Test
    void of_a_transaction_whose_lane_was_read_before_its_commit_is_for_all_lanes() {
      queue.hinted(Set.of(ONE));
      looks();
      queue.woken(Set.of());
      after(4);
      take();
      queue.woken(Set.of());

      assertThat(take().everywhere()).isTrue();
    }
  }

  @Test
  void every_lane_of_the_largest_outbox_can_wait_at_once() {
    for (int round = 0; round < 3; round++) {
      IntStream.range(0, 1024).forEach(lane -> queue.hinted(Set.of(new Lane(lane))));
    }
    after(1);

    assertThat(take().lanes()).hasSize(1024);
  }

  private WakeupQueue.Woken take() {
    return queue.take(ticker.now());
  }

  private Duration rest() {
    return queue.next(ticker.now());
  }

  private void after(long millis) {
    now = now.plusMillis(millis);
  }

  /** Rests as told until nothing is planned; when lane one was woken, in ms from now. */
  private List<Long> looks() {
    Instant start = now;
    List<Long> looks = new ArrayList<>();
    for (Duration rest = rest(); rest.compareTo(A_DAY) < 0; rest = rest()) {
      now = now.plus(rest);
      if (take().lanes().contains(ONE)) {
        looks.add(Duration.between(start, now).toMillis());
      }
    }
    return looks;
  }
}
