package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters.Replayed;
import dev.outbox.RelayStatus.Counts;
import dev.outbox.RelayStatus.Health;
import dev.outbox.Snapshot.Depth;
import dev.outbox.Snapshot.OwnedLane;
import dev.outbox.Topics.Setting;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LiveRelay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What operators print is one line that they can read. */
class ShortFormsTest {
  private static final Set<Integer> ALL =
      IntStream.range(0, 32).boxed().collect(Collectors.toSet());

  @Test
  void a_snapshot_has_its_lanes_as_ranges_by_owner() {
    List<OwnedLane> lanes =
        IntStream.range(0, 32)
            .mapToObj(lane -> new OwnedLane(new Lane(lane), owner(lane)))
            .toList();
    Snapshot snapshot =
        Snapshot.of(
            Map.of("orders", new Depth(12, 0, 0, 1), "mails", new Depth(0, 3, 0, 0)),
            Map.of("mails", Setting.NONE.withPaused(true), "orders", Setting.NONE.withStrict(true)),
            Duration.ofMillis(3200),
            null,
            lanes,
            List.of(new LiveRelay("a-1", true, Instant.EPOCH)));

    assertThat(snapshot)
        .hasToString(
            "ready 12, parked 3, dead 1, oldest ready 3.2 s; topics {mails=parked 3, orders=ready 12, dead 1};"
                + " paused [mails];"
                + " lanes 20-31 free; lanes 0-9, 15-19 of a-1; lanes 10-14 of b-2; relays [a-1]");
  }

  private static String owner(int lane) {
    return lane >= 20 ? null : lane >= 10 && lane < 15 ? "b-2" : "a-1";
  }

  @Test
  void an_empty_snapshot_says_so() {
    assertThat(Snapshot.of(Map.of(), Map.of(), null, null, List.of(), List.of()))
        .hasToString("empty; relays []");
  }

  @Test
  void a_status_has_its_health_and_reason_its_lanes_as_ranges_and_what_is_not_zero() {
    assertThat(status(Health.UP, "", ALL, new Counts(0, 0, 0, 0, 0, 0, 0, 0)))
        .hasToString("orders-1a2b UP; lanes 0-31; 7 in memory; delivered 0");
    assertThat(
            status(Health.DEGRADED, "broker down", Set.of(), new Counts(40, 2, 0, 0, 6, 1, 0, 0)))
        .hasToString(
            "orders-1a2b DEGRADED (broker down); lanes none; 7 in memory; delivered 40, parked 2, repeated 6, fenced 1");
  }

  private static RelayStatus status(
      Health health, String reason, Set<Integer> lanes, Counts counts) {
    return new RelayStatus(
        "orders-1a2b",
        health,
        reason,
        lanes,
        Set.of(),
        7,
        0,
        Map.of(),
        Map.of(),
        Map.of(),
        null,
        null,
        null,
        counts);
  }

  @Test
  void the_result_of_a_dry_run_says_that_it_was_one() {
    assertThat(new Replayed(50, 61, true, true))
        .hasToString("dry run: 50 messages would be replayed, the last dead letter is 61");
    assertThat(new Replayed(50, 61, true, false))
        .hasToString("50 messages were replayed, the last dead letter is 61");
    assertThat(new Replayed(0, 0, false, false))
        .hasToString("0 messages were replayed; stopped before the end");
  }
}
