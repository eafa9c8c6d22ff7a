package dev.outbox.internal.relay.read;

import static dev.outbox.internal.relay.Samples.at;
import static dev.outbox.internal.relay.Samples.atSecond;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PollBackoffTest {
  private static final Duration POLL = Duration.ofSeconds(1);

  private final PollBackoff pace = new PollBackoff(POLL, new SplittableRandom(1));

  @Test
  void is_due_at_once_before_the_first_look() {
    assertThat(pace.isDue(atSecond(0))).isTrue();
  }

  @Test
  void rests_twice_as_long_after_every_look_in_vain_up_to_the_poll() {
    for (long step : new long[] {5, 10, 20, 40, 80, 160, 320, 640, 1000, 1000, 1000}) {
      pace.inVain(atSecond(0));

      assertThat(pace.left(atSecond(0)))
          .isBetween(
              Duration.ofMillis(step).minus(Duration.ofMillis(step).dividedBy(10)),
              Duration.ofMillis(step));
    }
  }

  @Test
  void relays_that_began_together_do_not_look_together_for_ever() {
    Set<Duration> rests = new HashSet<>();
    for (int relay = 0; relay < 50; relay++) {
      PollBackoff each = new PollBackoff(POLL, new SplittableRandom(relay));
      each.inVain(atSecond(0));
      rests.add(each.left(atSecond(0)));
    }

    assertThat(rests).hasSizeGreaterThan(10);
  }

  @Test
  void is_due_once_the_rest_is_over_and_never_owes_less_than_nothing() {
    rest(20);
    Duration left = pace.left(atSecond(0));

    assertThat(pace.isDue(at(left.minusNanos(1)))).isFalse();
    assertThat(pace.isDue(at(left))).isTrue();
    assertThat(pace.left(atSecond(100))).isZero();
  }

  @Test
  void rests_shortly_after_it_has_found_something() {
    rest(20);

    pace.found(atSecond(0));

    assertThat(pace.left(atSecond(0))).isEqualTo(Duration.ofMillis(5));
    pace.inVain(atSecond(0));
    assertThat(pace.left(atSecond(0))).isLessThanOrEqualTo(Duration.ofMillis(5));
  }

  @Test
  void is_due_at_once_when_hurried_and_begins_with_short_waits_again() {
    rest(20);

    pace.hurry();

    assertThat(pace.isDue(atSecond(0))).isTrue();
    pace.inVain(atSecond(0));
    assertThat(pace.left(atSecond(0))).isLessThanOrEqualTo(Duration.ofMillis(5));
  }

  @Test
  void is_due_earlier_when_something_else_is_but_never_later() {
    rest(20);
    Duration left = pace.left(atSecond(0));

    pace.noLaterThan(Duration.ofDays(1));
    assertThat(pace.left(atSecond(0))).isEqualTo(left);

    pace.noLaterThan(Duration.ofMillis(250));
    assertThat(pace.left(atSecond(0))).isEqualTo(Duration.ofMillis(250));
  }

  private void rest(int looks) {
    for (int look = 0; look < looks; look++) {
      pace.inVain(atSecond(0));
    }
  }
}
