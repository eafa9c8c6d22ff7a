package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.RelayStatus;
import dev.outbox.StoreException;
import dev.outbox.publish.Ack;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.settle.Settlement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lane whose own row others keep locked rests, and the other lanes go on. */
class LockedLanesTest extends LockedCases {
  @Test
  void locked_lane_rows_that_are_known_cost_the_other_lanes_nothing() {
    relay.elapse(RENEWAL);
    lockLaneRows(0, 1);
    relay.pass(10);
    Duration before = relay.time();
    waited = Duration.ZERO;

    while (relay.time().minus(before).compareTo(Duration.ofMinutes(5)) < 0) {
      publish(2, 3);
      relay.pass(100);
      assertThat(ageOfTheLease(2)).isLessThan(LEASE);
      assertThat(ageOfTheLease(3)).isLessThan(LEASE);
    }

    assertThat(waited).isZero();
    assertThat(relay.published).hasSize((int) ids);
  }

  @Test
  void a_large_message_of_a_locked_lane_leaves_other_lanes_room() {
    relay.latency = Duration.ofSeconds(2);
    putLarge(0);
    relay.pass(100);
    lockLaneRows(0);
    relay.pass(10_000);

    put(1, 2, 3);
    relay.pass(10_000);

    assertThat(relay.published).hasSize(4);
  }

  @Test
  void lanes_whose_rows_were_locked_go_on_together_when_they_are_free() {
    lockLaneRows(0, 1, 2);
    relay.pass(3000);
    publish(0, 1, 2, 3);
    relay.pass(100);
    assertThat(lanesWithFates()).containsExactly(lane(3));
    lanes.locked.clear();

    relay.pass(1500);

    assertThat(lanesWithFates()).containsExactlyInAnyOrder(lane(0), lane(1), lane(2), lane(3));
  }

  /** As without the right to write to the table of delayed messages. */
  @Test
  void a_relay_whose_delayed_messages_are_refused_is_degraded_until_they_are_not() {
    delay(0);
    lanes.promoting =
        () -> {
          throw StoreException.lasting("permission denied", null);
        };
    passWatchingLeases(Duration.ofSeconds(10));

    assertThat(relay.status().health()).isEqualTo(RelayStatus.Health.DEGRADED);
    assertThat(relay.status().reason())
        .isEqualTo("waits to move due messages of lanes 0-3, see the log");
    lanes.promoting = () -> {};
    passWatchingLeases(Duration.ofSeconds(10));
    assertThat(relay.status().health()).isEqualTo(RelayStatus.Health.UP);
  }

  @Test
  void a_locked_lane_that_was_to_be_probed_does_not_keep_a_broker_closed() {
    relay.broker = envelope -> Ack.unavailable(new IOException("no broker"));
    publish(0, 1, 2, 3);
    relay.pass(10_000);
    lockLaneRows(0);
    passWatchingLeases(Duration.ofMinutes(10));
    relay.broker = envelope -> Ack.delivered();
    relay.published.clear();
    passWatchingLeases(Duration.ofMinutes(10));

    assertThat(relay.published).hasSize(3);
  }

  @Test
  void a_broker_that_is_down_is_named_before_due_messages_that_wait() {
    relay.broker = envelope -> Ack.unavailable(new IOException("no broker"));
    publish(0);
    delay(0);
    lanes.promoting =
        () -> {
          throw StoreException.lasting("permission denied", null);
        };
    passWatchingLeases(Duration.ofSeconds(10));

    assertThat(relay.status().reason())
        .isEqualTo(
            "broker down for topics [orders]; waits to move due messages of lanes 0-3, see the log");
  }

  @Test
  void many_locked_lane_rows_are_found_by_one_wait() {
    relay.elapse(RENEWAL);
    lockLaneRows(0, 1, 2);

    assertThat(timeOfATurn()).isLessThan(WAIT.plusSeconds(1));
    assertThat(lanes.settlements).last().matches(each -> each.lease().lane().equals(lane(3)));
  }

  @Test
  void work_in_a_lane_that_rests_is_not_looked_for_all_the_time() {
    lockLaneRows(0);
    relay.pass(30_000);
    delay(0);
    lanes.due.put(lane(0), new ArrayList<>(List.of(message(0))));
    int before = lanes.asked("look").size();

    relay.pass(60_000);

    assertThat(lanes.asked("look").size() - before).isLessThan(200);
  }

  @Test
  void a_lane_whose_row_is_free_is_renewed_though_a_message_of_it_is_locked() {
    publish(0);
    lockLaneRows(0);
    put(0);
    relay.pass(20_000);
    lanes.locked.clear();
    keepRowsLocked(0);
    lanes.settlements.clear();

    relay.pass(60_000);

    assertThat(lanes.settlements)
        .filteredOn(each -> each.lease().lane().equals(lane(0)))
        .hasSizeGreaterThan(5);
  }

  @Test
  void a_close_tells_which_results_a_locked_row_kept_from_being_saved() {
    relay.latency = Duration.ofSeconds(8);
    put(0);
    relay.pass(100);
    lockLaneRows(0);
    relay.pass(20_000);

    List<String> lines =
        LogLines.of(
            () -> {
              relay.turns().windDown();
              relay.turns().giveUp();
            });

    assertThat(lines)
        .singleElement()
        .asString()
        .contains("WARN", "results of 1 messages of lane=0 are not saved");
  }

  @Test
  void a_lane_row_that_is_locked_is_told_of_once_and_when_it_is_free() {
    lockLaneRows(0);

    List<String> lines = LogLines.of(() -> relay.pass(20_000));
    lanes.locked.clear();
    List<String> after = LogLines.of(() -> relay.pass(REST));

    assertThat(lines).singleElement().asString().contains("WARN", "lane=0", "locked");
    assertThat(after).singleElement().asString().contains("INFO", "lane=0", "free again");
  }

  @Test
  void a_close_beside_a_locked_lane_row_releases_the_others() {
    lockLaneRows(0);
    relay.elapse(RENEWAL);
    relay.turn();

    relay.turns().windDown();
    relay.turns().giveUp();

    assertThat(lanes.settlements)
        .filteredOn(each -> each.after() == Settlement.After.RELEASE)
        .extracting(each -> each.lease().lane())
        .containsExactly(lane(1), lane(2), lane(3));
  }

  /** The row is locked for 3.8 s, just before a message of it is noted. */
  @Test
  void a_careful_lane_whose_row_was_locked_shortly_keeps_its_lease() {
    Duration[] since = {null};
    careful(2, Duration.ofMillis(2400), since, 0);

    while (relay.time().compareTo(Duration.ofMinutes(1)) < 0) {
      passWatchingLeases(Duration.ofMillis(50));
      if (since[0] != null && relay.time().minus(since[0]).toMillis() > 3800) {
        lanes.locked.clear();
      }
    }

    assertThat(since[0]).isNotNull();
    assertThat(longestGap.get(lane(0))).isLessThan(LEASE);
  }

  /** The rows of a careful lane, and of one with a delayed message. */
  @Test
  void waits_of_several_kinds_do_not_add_up_between_two_renewals() {
    Duration[] since = {null};
    careful(4, Duration.ofMillis(4900), since, 0, 1);

    passWatchingLeases(Duration.ofMinutes(1));

    assertThat(since[0]).isNotNull();
    assertThat(longestGap.get(lane(3))).isLessThan(LEASE);
  }

  /** A relay whose first lane is careful; then these rows get locked. */
  private void careful(int number, Duration latency, Duration[] since, int... locked) {
    lanes = watchedLanes(number);
    lanes.free.clear();
    for (int i = 0; i < number; i++) {
      lanes.free.add(ScriptedLanes.claim(lane(i), i == 0 ? 3 : 0, null));
    }
    relay = new SteppedRelay(lanes);
    relay.latency = latency;
    put(0, 0);
    lanes.writingEnds =
        () -> {
          boolean once = since[0] == null && relay.published.size() == 1;
          if (once && relay.time().compareTo(latency) >= 0) {
            since[0] = relay.time();
            lockLaneRows(locked);
            delay(locked[locked.length - 1]);
          }
        };
  }

  @Test
  void a_locked_lane_does_not_keep_the_others_from_gathering_their_ends() {
    int free = settlesOfManyMessages(false);

    assertThat(settlesOfManyMessages(true)).isLessThan(free * 3 / 2);
  }

  private int settlesOfManyMessages(boolean locked) {
    lanes = watchedLanes(4);
    Duration linger = Duration.ofMillis(5);
    relay = new SteppedRelay(lanes, Samples.lingering(linger, RelayListener.SILENT), Runnable::run);
    relay.pass(1000);
    put(new int[80]);
    if (locked) {
      lockLaneRows(0);
    }
    relay.pass(20_000);
    int before = lanes.asked("settle").size();
    for (int i = 0; i < 2000; i++) {
      put(1 + i % 3);
      relay.pass(1);
    }
    return lanes.asked("settle").size() - before;
  }

  private Duration ageOfTheLease(int number) {
    return relay.time().minus(renewed.getOrDefault(lane(number), Duration.ZERO));
  }
}
