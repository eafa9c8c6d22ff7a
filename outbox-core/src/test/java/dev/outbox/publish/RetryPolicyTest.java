package dev.outbox.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  @Test
  void the_ceiling_doubles_up_to_the_longest_rest_and_jitter_fills_it() {
    RetryPolicy policy =
        RetryPolicy.exponential(
            Duration.ofMillis(100), Duration.ofMillis(450), Duration.ofHours(1));
    long[] ceilings = {100, 200, 400, 450, 450};
    for (int attempt = 1; attempt <= ceilings.length; attempt++) {
      long ceiling = ceilings[attempt - 1];
      assertThat(longestOf(1000, policy, attempt)).isBetween(ceiling / 2, ceiling);
    }
    assertThat(longestOf(1000, policy, Integer.MAX_VALUE)).isBetween(225L, 450L);
  }

  @Test
  void gives_up_exactly_when_the_message_has_been_failing_for_long_enough() {
    RetryPolicy policy =
        RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMinutes(1));

    assertThat(policy.delay(9, Duration.ofMinutes(1).minusNanos(1))).isPresent();
    assertThat(policy.delay(9, Duration.ofMinutes(1))).isEmpty();
  }

  @Test
  void the_standard_policy_waits_half_a_second_to_five_minutes_for_a_day() {
    RetryPolicy policy = RetryPolicy.standard();

    assertThat(longestOf(1000, policy, 1)).isBetween(250L, 500L);
    assertThat(longestOf(1000, policy, 40)).isBetween(150_000L, 300_000L);
    assertThat(policy.delay(1, Duration.ofHours(24))).isEmpty();
  }

  @Test
  void survives_durations_beyond_all_sense() {
    RetryPolicy policy = RetryPolicy.exponential(FOREVER, FOREVER, FOREVER);

    for (int attempt : new int[] {1, 2, 31, 32, 63, 64, Integer.MAX_VALUE}) {
      assertThat(policy.delay(attempt, Duration.ZERO)).isPresent();
    }
  }

  @Test
  void a_first_rest_below_a_millisecond_still_grows() {
    RetryPolicy policy =
        RetryPolicy.exponential(Duration.ofNanos(1), Duration.ofSeconds(1), Duration.ofHours(1));

    assertThat(longestOf(1000, policy, 12)).isBetween(500L, 1000L);
  }

  @Test
  void atMost_gives_up_after_so_many_attempts_or_earlier() {
    RetryPolicy policy = RetryPolicy.standard().atMost(3);

    assertThat(policy.delay(2, Duration.ZERO)).isPresent();
    assertThat(policy.delay(3, Duration.ZERO)).isEmpty();
    assertThat(policy.delay(1, Duration.ofHours(24))).isEmpty();
    assertThat(RetryPolicy.standard().atMost(1).delay(1, Duration.ZERO)).isEmpty();
  }

  @Test
  void refuses_numbers_that_contradict_each_other() {
    Duration second = Duration.ofSeconds(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetryPolicy.exponential(Duration.ZERO, second, second))
        .withMessage("first delay is PT0S, it must be positive");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetryPolicy.exponential(second, Duration.ofMillis(999), second))
        .withMessage("longest delay PT0.999S is below the first delay PT1S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetryPolicy.exponential(second, second, Duration.ofNanos(-1)))
        .withMessage("giveUpAfter is PT-0.000000001S, the minimum is zero");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetryPolicy.standard().atMost(0))
        .withMessage("atMost is 0, the minimum is 1 attempt");
  }

  private static long longestOf(int tries, RetryPolicy policy, int attempts) {
    return IntStream.range(0, tries)
        .mapToLong(i -> policy.delay(attempts, Duration.ZERO).orElseThrow().toMillis())
        .peek(rest -> assertThat(rest).isNotNegative())
        .max()
        .orElseThrow();
  }
}
