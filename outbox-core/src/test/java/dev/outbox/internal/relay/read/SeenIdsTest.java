package dev.outbox.internal.relay.read;

import static dev.outbox.internal.relay.Samples.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.base.Ticker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeenIdsTest {
  private static final int STEP = 20;

  private final SeenIds seenIds = new SeenIds();

  @Test
  void ids_are_reported_once_they_are_old_enough_and_only_once() {
    seenIds.saw(10, millis(0));
    seenIds.saw(20, millis(1000));

    assertThat(usedUp(2000, 1999)).isZero();
    assertThat(usedUp(2000, 2000)).isEqualTo(10);
    assertThat(usedUp(2000, 2000)).isZero();
    assertThat(usedUp(2000, 3000)).isEqualTo(20);
    assertThat(seenIds.isEmpty()).isTrue();
  }

  @Test
  void an_id_seen_shortly_after_another_is_not_taken_for_older_than_it_is() {
    seenIds.saw(10, millis(0));
    seenIds.saw(20, millis(1));
    seenIds.saw(20, millis(30));

    assertThat(usedUp(100, 101)).isEqualTo(10);
    assertThat(usedUp(100, 130)).isEqualTo(20);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 2_000, 60_000, 1_000_000})
  void there_are_never_many_and_what_they_tell_trails_little(int age) {
    long told = 0;
    for (int milli = 0; milli < 4 * age; milli += STEP) {
      seenIds.saw(milli + 1, millis(milli));
      told = Math.max(told, usedUp(age, milli));
      assertThat(seenIds.size()).isLessThan(65);
      if (milli >= 2 * age) {
        assertThat(milli - told).isBetween((long) age - 1, age + age / 8 + 2L * STEP);
      }
    }
  }

  @Test
  void they_come_close_again_once_a_long_wait_is_over() {
    for (int milli = 0; milli < 600_000; milli += STEP) {
      seenIds.saw(milli + 1, millis(milli));
    }
    assertThat(seenIds.size()).isLessThan(65);
    long told = 0;

    for (int milli = 600_000; milli < 630_000; milli += STEP) {
      seenIds.saw(milli + 1, millis(milli));
      told = Math.max(told, usedUp(100, milli));
    }

    assertThat(told).isGreaterThan(630_000 - 200);
  }

  private long usedUp(int age, int milli) {
    return seenIds.usedUp(Duration.ofMillis(age), millis(milli));
  }

  private static Ticker.Moment millis(int milli) {
    return at(Duration.ofMillis(milli));
  }
}
