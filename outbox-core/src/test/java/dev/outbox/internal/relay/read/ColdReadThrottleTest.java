package dev.outbox.internal.relay.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.lane.Lanes;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many lanes without a floor one statement asks for. */
class ColdReadThrottleTest {
  private static final Duration QUICK = Duration.ofMillis(1);
  private static final Duration GIVEN_UP = Duration.ofSeconds(10);

  private final List<ReadableLane> low = IntStream.range(0, 32).mapToObj(n -> run(n, 0)).toList();
  private final ReadableLane high = run(40, 100);
  private final List<ReadableLane> owned = new ArrayList<>(low);
  private Instant now = Samples.START;
  private final Ticker ticker = Ticker.of(() -> now);
  private final ColdReadThrottle coldReadThrottle = new ColdReadThrottle(() -> owned, ticker);

  private static ReadableLane run(int lane, long floor) {
    return new LaneRun(
        new LaneClaim(new Lease(new Lane(lane), "test", 1, floor), Set.of(), 0, null),
        Samples.atSecond(0),
        Duration.ofSeconds(13),
        Samples.rules(new TopicGates()));
  }

  private Ticker.Moment moment() {
    return ticker.now();
  }

  private List<ReadableLane> ask(Duration time, ReadableLane... others) {
    List<ReadableLane> all = new ArrayList<>(low);
    all.addAll(List.of(others));
    List<ReadableLane> few = coldReadThrottle.few(Lanes.of(all), moment());
    wade(few, time);
    coldReadThrottle.turn();
    return few;
  }

  /** A statement over these lanes that takes so long; what takes too long is given up. */
  private void wade(List<ReadableLane> lanes, Duration time) {
    try {
      coldReadThrottle.timed(
          lanes,
          () -> {
            now = now.plus(time);
            if (time.compareTo(GIVEN_UP) >= 0) {
              throw StoreException.slow("gave up", null);
            }
            return lanes;
          });
    } catch (StoreException e) {
      assertThat(time).isGreaterThanOrEqualTo(GIVEN_UP);
    }
  }

  @Test
  void quick_ones_ask_for_more_and_more_until_all_are_asked_together() {
    assertThat(IntStream.range(0, 5).mapToObj(n -> ask(QUICK).size()))
        .containsExactly(8, 16, 32, 32, 32);
  }

  @Test
  void one_that_was_given_up_is_followed_by_few_which_take_turns() {
    for (int i = 0; i < 4; i++) {
      ask(QUICK);
    }
    for (int i = 0; i < 5; i++) {
      ask(GIVEN_UP);
    }

    Set<ReadableLane> asked = new HashSet<>();
    for (int i = 0; i < 32; i++) {
      List<ReadableLane> few = ask(GIVEN_UP);
      assertThat(few).hasSize(1);
      asked.addAll(few);
    }
    assertThat(asked).hasSize(32);
  }

  @Test
  void after_a_slow_one_those_with_a_floor_have_most_of_the_time() {
    owned.add(high);
    assertThat(ask(GIVEN_UP, high)).contains(high);

    assertThat(ask(Duration.ofSeconds(39), high)).containsExactly(high);
    assertThat(coldReadThrottle.isResting(moment())).isTrue();

    now = now.plusSeconds(1);
    assertThat(coldReadThrottle.isResting(moment())).isFalse();
    assertThat(ask(QUICK, high)).hasSize(3).contains(high);
  }

  @Test
  void what_was_slow_all_alone_waits_while_there_are_others() {
    ReadableLane deep = low.get(3);
    wade(List.of(deep), GIVEN_UP);
    coldReadThrottle.turn();

    assertThat(coldReadThrottle.few(Lanes.of(List.of(deep)), moment())).isEmpty();
    assertThat(coldReadThrottle.isAnyNext(List.of(deep), moment())).isFalse();
    assertThat(coldReadThrottle.isAnyNext(low, moment())).isTrue();

    owned.retainAll(List.of(deep));
    assertThat(coldReadThrottle.few(Lanes.of(List.of(deep)), moment())).containsExactly(deep);
  }

  @Test
  void one_turn_has_time_for_one_slow_one() {
    wade(low, GIVEN_UP);

    assertThat(coldReadThrottle.few(Lanes.of(low), moment())).isEmpty();
    assertThat(coldReadThrottle.isAnyNext(low, moment())).as("in the next turn").isTrue();

    coldReadThrottle.turn();
    assertThat(coldReadThrottle.few(Lanes.of(low), moment())).hasSize(2);
  }

  @Test
  void where_none_has_a_floor_there_is_no_rest() {
    ask(GIVEN_UP);

    assertThat(ask(GIVEN_UP)).hasSize(2);
    assertThat(ask(GIVEN_UP)).hasSize(1);
  }

  @Test
  void where_all_have_floors_nothing_is_left_out_and_no_time_counts() {
    ReadableLane other = run(41, 7);
    wade(List.of(high, other), Duration.ofSeconds(60));

    assertThat(coldReadThrottle.few(Lanes.of(List.of(high, other)), Samples.atSecond(60)))
        .containsExactly(high, other);
    assertThat(ask(QUICK)).hasSize(8);
  }
}
