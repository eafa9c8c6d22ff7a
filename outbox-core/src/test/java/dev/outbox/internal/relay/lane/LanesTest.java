package dev.outbox.internal.relay.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LanesTest {
  private final OwnedLanes owned = new OwnedLanes();

  private static LaneRun run(int number, long floor) {
    return new LaneRun(
        new LaneClaim(new Lease(new Lane(number), "test", 1, floor), Set.of(), 0, null),
        new Ticker.Moment(0, Samples.START),
        Duration.ofSeconds(10),
        Samples.rules(new TopicGates()));
  }

  @Test
  void lanes_are_in_order_whatever_the_order_of_their_claims() {
    owned.add(run(5, 50));
    owned.add(run(1, 10));
    owned.add(run(3, 70));

    assertThat(owned.runs()).extracting(run -> run.lane().number()).containsExactly(1, 3, 5);
    assertThat(owned.readable()).extracting(run -> run.floor()).containsExactly(10L, 70L, 50L);
  }

  @Test
  void what_was_asked_before_stays_as_it_was() {
    owned.add(run(1, 10));
    Lanes<LaneRun> before = owned.runs();
    owned.add(run(2, 20));
    owned.drop(new Lane(1));

    assertThat(before).extracting(run -> run.lane().number()).containsExactly(1);
    assertThat(owned.runs()).extracting(run -> run.lane().number()).containsExactly(2);
  }

  @Test
  void questions_about_none() {
    Lanes<LaneRun> none = owned.runs();

    assertThat(none.any(run -> true)).isFalse();
    assertThat(none.all(run -> false)).isTrue();
    assertThat(none.first(run -> true)).isNull();
    assertThat(none.those(run -> true)).isEmpty();
    assertThat(none.sum(LaneRun::floor)).isZero();
    assertThat(none.highest(LaneRun::floor)).isZero();
  }

  @Test
  void questions_about_some() {
    owned.add(run(1, 10));
    owned.add(run(2, 30));
    owned.add(run(3, 20));
    Lanes<LaneRun> runs = owned.runs();

    assertThat(runs.any(run -> run.floor() == 20)).isTrue();
    assertThat(runs.any(run -> run.floor() == 21)).isFalse();
    assertThat(runs.all(run -> run.floor() >= 10)).isTrue();
    assertThat(runs.all(run -> run.floor() > 10)).isFalse();
    assertThat(runs.first(run -> run.floor() > 10)).isSameAs(runs.get(1));
    assertThat(runs.those(run -> run.floor() > 10)).containsExactly(runs.get(1), runs.get(2));
    assertThat(runs.sum(LaneRun::floor)).isEqualTo(60);
    assertThat(runs.highest(LaneRun::floor)).isEqualTo(30);
  }
}
