package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Lane;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many lanes without a floor one statement asks for. */
class WadingTest {
  private static final Duration QUICK = Duration.ofMillis(1);
  private static final Duration GIVEN_UP = Duration.ofSeconds(10);

  private final List<LaneRun> low = IntStream.range(0, 32).mapToObj(n -> run(n, 0)).toList();
  private final LaneRun high = run(40, 100);
  private final List<LaneRun> owned = new ArrayList<>(low);
  private final Wading wading = new Wading(() -> owned);
  private Instant now = Samples.START;

  private static LaneRun run(int lane, long floor) {
    return new LaneRun(
        new LaneClaim(new Lease(new Lane(lane), "test", 1, floor), Set.of(), 0, null),
        Samples.atSecond(0),
        Duration.ofSeconds(13),
        Samples.rules(new TopicGates()));
  }

  private Ticker.Moment moment() {
    return Ticker.of(() -> now).now();
  }

  private List<LaneRun> ask(Duration time, LaneRun... others) {
    List<LaneRun> all = new ArrayList<>(low);
    all.addAll(List.of(others));
    List<LaneRun> few = wading.few(all, moment());
    Ticker.Moment began = moment();
    now = now.plus(time);
    wading.took(few, time.compareTo(GIVEN_UP) < 0, began, moment());
    wading.turn();
    return few;
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

    Set<LaneRun> asked = new HashSet<>();
    for (int i = 0; i < 32; i++) {
      List<LaneRun> few = ask(GIVEN_UP);
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
    assertThat(wading.isResting(moment())).isTrue();

    now = now.plusSeconds(1);
    assertThat(wading.isResting(moment())).isFalse();
    assertThat(ask(QUICK, high)).hasSize(3).contains(high);
  }

  @Test
  void what_was_slow_all_alone_rests_while_there_are_others() {
    LaneRun deep = low.get(3);
    wading.took(List.of(deep), false, moment(), Ticker.of(() -> now.plus(GIVEN_UP)).now());
    wading.turn();
    now = now.plus(GIVEN_UP);

    assertThat(wading.few(List.of(deep), moment())).isEmpty();
    assertThat(wading.isAnyNext(List.of(deep), moment())).isFalse();
    assertThat(wading.isAnyNext(low, moment())).isTrue();

    owned.retainAll(List.of(deep));
    assertThat(wading.few(List.of(deep), moment())).containsExactly(deep);
  }

  @Test
  void one_turn_has_time_for_one_slow_one() {
    Ticker.Moment began = moment();
    now = now.plus(GIVEN_UP);
    wading.took(low, false, began, moment());

    assertThat(wading.few(low, moment())).isEmpty();
    assertThat(wading.isAnyNext(low, moment())).as("in the next turn").isTrue();

    wading.turn();
    assertThat(wading.few(low, moment())).hasSize(2);
  }

  @Test
  void where_none_has_a_floor_there_is_no_rest() {
    ask(GIVEN_UP);

    assertThat(ask(GIVEN_UP)).hasSize(2);
    assertThat(ask(GIVEN_UP)).hasSize(1);
  }

  @Test
  void where_all_have_floors_nothing_is_left_out_and_no_time_counts() {
    LaneRun other = run(41, 7);
    wading.took(List.of(high, other), true, Samples.atSecond(0), Samples.atSecond(60));

    assertThat(wading.few(List.of(high, other), Samples.atSecond(60))).containsExactly(high, other);
    assertThat(ask(QUICK)).hasSize(8);
  }
}
