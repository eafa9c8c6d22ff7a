package dev.outbox.internal.relay.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.LogLines;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.ScriptedLanes;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.GivenIds;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdWatchTest {
  private final ScriptedLanes lanes = new ScriptedLanes(1);
  private Instant now = Samples.START;
  private final Ticker ticker = Ticker.of(() -> now);
  private final IdWatch watch = new IdWatch(lanes, "test", ticker);

  private boolean lookLater(long seen) {
    now = now.plus(Duration.ofSeconds(1));
    return watch.look(() -> seen, ticker.now());
  }

  @Test
  void it_asks_for_the_next_id_once_a_second_and_what_the_tables_show_at_first_only() {
    lanes.next = 10;
    for (int look = 0; look < 30; look++) {
      now = now.plus(Duration.ofMillis(100));
      assertThat(watch.look(() -> 9, ticker.now())).isFalse();
    }
    assertThat(lanes.asked("next")).hasSize(3);
    assertThat(lanes.asked("given")).hasSize(1);
    assertThat(watch.reason(Set.of())).isEmpty();
  }

  @Test
  void what_is_known_is_forgotten_once_when_the_next_id_falls() {
    lanes.next = 100;
    assertThat(lookLater(99)).isFalse();
    lanes.next = 2;
    assertThat(lookLater(99)).isTrue();
    assertThat(lookLater(1)).isFalse();
    assertThat(watch.wentBack()).isFalse();
  }

  @Test
  void what_is_known_is_forgotten_when_the_next_id_was_seen() {
    lanes.next = 100;
    assertThat(lookLater(100)).isTrue();
  }

  @Test
  void no_floor_may_rise_above_the_last_id_until_the_next_one_was_raised() {
    lanes.next = 50;
    lanes.given = new GivenIds(200, "Raise it.");
    assertThat(lookLater(0)).isTrue();
    assertThat(watch.reason(Set.of()))
        .isEqualTo("ids went back: the next id is 50, but 200 was used before. Raise it.");
    assertThat(watch.ceiling()).isEqualTo(49);

    lanes.next = 60;
    assertThat(lookLater(200)).as("it is known already").isFalse();
    assertThat(watch.ceiling()).isEqualTo(59);

    lanes.next = 201;
    assertThat(lookLater(200)).isFalse();
    assertThat(watch.ceiling()).isEqualTo(Long.MAX_VALUE);
    assertThat(watch.reason(Set.of())).isEmpty();
  }

  @Test
  void a_doubt_makes_it_ask_again_what_the_tables_show() {
    lanes.next = 10;
    lookLater(9);
    watch.doubt();
    assertThat(watch.look(() -> 9, ticker.now())).isFalse();
    assertThat(lanes.asked("given")).hasSize(2);
  }

  @Test
  void where_the_next_id_is_not_told_nothing_is_judged() {
    lanes.next = LaneStore.UNTOLD;
    assertThat(lookLater(Long.MAX_VALUE - 1)).isFalse();
    assertThat(lookLater(Long.MAX_VALUE - 1)).isFalse();
    assertThat(lanes.asked("given")).isEmpty();
  }

  @Test
  void lanes_with_taken_ids_are_named() {
    assertThat(watch.reason(Set.of(new Lane(3), new Lane(1))))
        .isEqualTo("messages of lanes [1, 3] have ids that are taken by parked messages.");
  }

  @Test
  void ids_that_writers_take_while_the_tables_are_looked_at_are_no_alarm() {
    lanes.next = 50;
    lanes.given = new GivenIds(50, "Raise it.");
    lanes.writing = 1;
    assertThat(lookLater(0)).isFalse();
    assertThat(watch.reason(Set.of())).isEmpty();
  }

  private LaneRun leased(long epoch) {
    return new LaneRun(
        new LaneClaim(new Lease(Samples.LANE, "test", epoch, 0), Set.of(), 0, null),
        ticker.now(),
        Duration.ofSeconds(13),
        Samples.rules(new TopicGates()));
  }

  @Test
  void epochs_that_went_back_are_reported_once_the_store_answers_and_without_ids_that_rise() {
    lanes.given = new GivenIds(9, "Raise it.");
    lanes.next = 10;
    lookLater(9);
    watch.leased(List.of(leased(7)));
    lanes.askingGiven =
        () -> {
          throw new IllegalStateException("no answer");
        };
    assertThatThrownBy(() -> watch.leased(List.of(leased(3)))).hasMessage("no answer");
    lanes.askingGiven = () -> {};
    watch.leased(List.of(leased(3)));
    assertThat(watch.reason(Set.of())).startsWith("epochs went back").endsWith("Raise it.");
    assertThat(lanes.asked("given")).element(2).isEqualTo(List.of(LaneStore.UNTOLD));
  }

  @Test
  void epochs_that_went_back_are_reported_later_when_the_store_is_slow_to_answer() {
    lanes.given = new GivenIds(200, "Raise it.");
    lanes.next = 50;
    lookLater(0);
    watch.leased(List.of(leased(7)));
    lanes.askingGiven =
        () -> {
          now = now.plus(Duration.ofSeconds(10));
          throw StoreException.slow("gave up", null);
        };
    lanes.asked.clear();

    watch.leased(List.of(leased(3)));
    watch.leased(List.of(leased(3)));

    assertThat(watch.wentBack()).isTrue();
    assertThat(lanes.asked("given")).containsExactly(List.of(50L));
    lanes.askingGiven = () -> {};
    now = now.plus(Duration.ofMinutes(10));
    List<String> lines = LogLines.of(() -> watch.leased(List.of(leased(3))));
    assertThat(lines).singleElement().asString().contains("epochs went back in lanes 3");
  }
}
