package dev.outbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Snapshot;
import dev.outbox.Snapshot.Depth;
import dev.outbox.Snapshot.OwnedLane;
import dev.outbox.Topics.Setting;
import dev.outbox.console.look.HumanText;
import dev.outbox.console.look.Look;
import dev.outbox.console.look.Rates;
import dev.outbox.console.look.Trouble;
import dev.outbox.console.look.Trouble.Level;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LiveRelay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What two looks tell, and what is wrong in one. */
class LookTest {
  private static Look look(long second, Depth mails, @Nullable Long written) {
    Snapshot snapshot =
        Snapshot.of(Map.of("mails", mails), Map.of(), null, null, List.of(), List.of());
    return new Look(TimeUnit.SECONDS.toNanos(second), snapshot, 1000, written);
  }

  @Test
  void what_came_in_and_waits_no_more_went_out() {
    Look before = look(10, new Depth(100, 10, 0, 0), 500L);
    Look now = look(20, new Depth(60, 0, 0, 5), 600L);
    assertThat(Rates.between(before, now)).isEqualTo(new Rates(10.0, 15.0));
  }

  @Test
  void a_replay_is_no_delivery_and_a_delayed_message_no_arrival() {
    Look before = look(0, new Depth(0, 0, 0, 50), 500L);
    assertThat(Rates.between(before, look(10, new Depth(50, 0, 0, 0), 550L)))
        .isEqualTo(new Rates(5.0, 0.0));
    assertThat(Rates.between(before, look(10, new Depth(0, 0, 70, 50), 500L)))
        .isEqualTo(new Rates(0.0, 0.0));
  }

  @Test
  void what_cannot_be_known_is_not_told() {
    Look before = look(0, new Depth(1000, 0, 0, 0), 500L);
    Look now = look(10, new Depth(1000, 0, 0, 0), 600L);
    assertThat(Rates.between(before, now)).as("more than counted").isEqualTo(new Rates(10.0, null));
    assertThat(Rates.between(null, now)).isEqualTo(Rates.UNKNOWN);
    assertThat(Rates.between(before, look(10, new Depth(0, 0, 0, 0), null)))
        .isEqualTo(Rates.UNKNOWN);
    assertThat(Rates.between(now, look(20, new Depth(0, 0, 0, 0), 5L)))
        .as("ids went back")
        .isEqualTo(Rates.UNKNOWN);
  }

  @Test
  void troubles_come_worst_first_and_none_where_all_is_well() {
    LiveRelay relay = new LiveRelay("shop-1", false, Instant.EPOCH);
    Duration five = Duration.ofMinutes(5);
    Snapshot snapshot =
        Snapshot.of(
            Map.of("mails", new Depth(3, 2, 0, 1)),
            Map.of("mails", Setting.NONE.withPaused(true)),
            five,
            five,
            List.of(new OwnedLane(new Lane(0), null), new OwnedLane(new Lane(1), "shop-1")),
            List.of(relay));
    List<Trouble> troubles = Trouble.of(new Look(0, snapshot, 1000, null));
    assertThat(troubles).extracting(Trouble::level).isSorted().endsWith(Level.NOTE);
    assertThat(troubles.toString())
        .contains(
            "1 of 2 lanes have no owner", "Relay shop-1 finds every broker", "has waited for 5 min")
        .contains(
            "been due for 5 min", "1 dead letter waits", "Topic mails is paused, and 5 of it wait");
    assertThat(Trouble.of(look(0, new Depth(1, 0, 0, 0), null)).get(0))
        .isEqualTo(
            new Trouble(
                Level.BAD,
                "No relay is running, and 1 message waits. Start one; the log of the last one says"
                    + " why it ended."));
    Snapshot well =
        Snapshot.of(
            Map.of(),
            Map.of(),
            null,
            null,
            List.of(),
            List.of(new LiveRelay("a", true, Instant.EPOCH)));
    assertThat(Trouble.of(new Look(0, well, 1000, 1L))).isEmpty();
  }

  @Test
  void numbers_are_as_people_read_them() {
    assertThat(HumanText.count(1234, 10_000)).isEqualTo("1,234");
    assertThat(HumanText.count(10_000, 10_000)).isEqualTo("10,000+");
    assertThat(HumanText.age(Duration.ofMillis(12))).isEqualTo("12 ms");
    assertThat(HumanText.age(Duration.ofSeconds(-61))).isEqualTo("61 s");
    assertThat(HumanText.age(Duration.ofHours(3))).isEqualTo("3 h");
    assertThat(HumanText.age(Duration.ofDays(3))).isEqualTo("3 d");
    assertThat(HumanText.rate(null)).isEqualTo("?");
    assertThat(HumanText.rate(12.34)).isEqualTo("12.3/s");
    assertThat(HumanText.rate(1234.5)).isIn("1,234/s", "1,235/s");
    assertThat(HumanText.ranges(List.of(7, 0, 1, 3, 2))).isEqualTo("0-3, 7");
    assertThat(HumanText.ranges(List.of())).isEmpty();
  }
}
