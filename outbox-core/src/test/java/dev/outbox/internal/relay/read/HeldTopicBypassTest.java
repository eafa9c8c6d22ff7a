package dev.outbox.internal.relay.read;

import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.ScriptedLanes;
import dev.outbox.internal.relay.SteppedRelay;
import dev.outbox.message.Key;
import dev.outbox.publish.Ack;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Many messages of held topics, and others behind them. */
class HeldTopicBypassTest {
  private static final Setting PAUSED = Setting.NONE.withPaused(true);
  private static final int LANES = 4;
  private static final int HELD = 20_000;

  private final ScriptedLanes lanes = new ScriptedLanes(LANES);
  private final SteppedRelay relay = new SteppedRelay(lanes);
  private long ids;

  @Test
  void others_do_not_wait_until_a_paused_topic_is_moved() {
    lanes.settings = Map.of("paused", PAUSED);
    put(HELD, "paused");
    put(100, "others");

    passUntilPublished(100);

    assertThat(moved()).isLessThan(HELD / 2);
  }

  @Test
  void others_do_not_wait_until_a_topic_without_a_broker_is_moved() {
    relay.broker =
        envelope ->
            envelope.topic().equals("gone")
                ? Ack.unavailable(new IllegalStateException("down"))
                : Ack.delivered();
    put(10, "others");
    put(HELD, "gone");
    put(100, "others");

    passUntilPublished("others", 110);

    assertThat(moved()).isLessThan(HELD / 2);
  }

  @Test
  void moving_goes_on_meanwhile_and_to_its_end_when_there_are_no_others() {
    lanes.settings = Map.of("paused", PAUSED);
    put(HELD, "paused");
    put(HELD / 4, "others");

    passUntilPublished(HELD / 4);
    assertThat(moved()).isGreaterThan(HELD / 20);

    relay.pass(Duration.ofSeconds(2));
    assertThat(moved()).isEqualTo(HELD);
    assertThat(relay.spins).isZero();
  }

  @Test
  void others_are_found_however_far_behind_they_are() {
    lanes.settings = Map.of("paused", PAUSED);
    put(HELD, "paused");
    ids += 3 * HeldTopicBypass.REACH;
    put(100, "others");

    for (int turn = 0; turn < 100 && published("others") < 100; turn++) {
      relay.turn();
      relay.elapse(Duration.ofMillis(30)); // moving is slow
    }

    assertThat(published("others")).isEqualTo(100);
    assertThat(moved()).isLessThan(HELD);
  }

  @Test
  void a_lane_whose_others_are_far_is_asked_alone_beside_one_that_has_plenty() {
    lanes.settings = Map.of("paused", PAUSED);
    for (int i = 0; i < HELD; i++) {
      putInto(0, "paused");
      putInto(1, "paused");
    }
    for (int i = 0; i < HELD; i++) {
      putInto(0, "others");
    }
    ids += 3 * HeldTopicBypass.REACH;
    putInto(1, "far");

    for (int turn = 0; turn < 400 && published("far") == 0; turn++) {
      relay.turn();
      relay.elapse(Duration.ofMillis(30)); // moving is slow
    }

    assertThat(published("far")).isEqualTo(1);
    assertThat(published("others")).isLessThan(HELD);
    assertThat(moved()).isLessThan(2 * HELD);
  }

  private void putInto(int lane, String topic) {
    lanes.put(StoredEnvelope.ready(++ids, new Lane(lane), envelope(topic, "k" + ids % 100)));
  }

  @Test
  void what_comes_in_later_passes_too() {
    lanes.settings = Map.of("paused", PAUSED);
    put(HELD, "paused");
    relay.pass(1);
    assertThat(moved()).isLessThan(HELD / 2);

    put(100, "others");
    passUntilPublished(100);

    assertThat(moved()).isLessThan(HELD / 2);
  }

  @Test
  void once_the_held_are_moved_reads_are_ordinary_however_long_ago_that_was() {
    lanes.settings = Map.of("paused", PAUSED);
    put(HELD, "paused");
    put(100, "others");
    relay.pass(Duration.ofSeconds(5));
    assertThat(moved()).isEqualTo(HELD);
    lanes.asked.clear();

    relay.pass(Duration.ofMinutes(30));
    put(100, "others");
    passUntilPublished(200);

    assertThat(lanes.asked("readPast")).isEmpty();
  }

  @Test
  void a_careful_relay_passes_over_nothing() {
    lanes.settings = Map.of("paused", PAUSED);
    lanes.free.clear();
    for (int lane = 0; lane < LANES; lane++) {
      lanes.free.add(ScriptedLanes.claim(new Lane(lane), 3, null));
    }
    put(400, "paused");
    put(4, "others");

    relay.pass(Duration.ofSeconds(30));

    assertThat(relay.published).hasSize(4);
    List<String> asked = lanes.asked.stream().map(ScriptedLanes.Asked::what).toList();
    assertThat(asked.subList(0, asked.lastIndexOf("suspect"))).doesNotContain("readPast");
  }

  private void passUntilPublished(int count) {
    passUntilPublished("others", count);
  }

  private void passUntilPublished(String topic, int count) {
    Duration end = relay.time().plusSeconds(10);
    while (published(topic) < count && relay.time().compareTo(end) < 0) {
      relay.pass(1);
    }
    assertThat(published(topic)).isEqualTo(count);
  }

  private long published(String topic) {
    return relay.envelopes().stream().filter(each -> each.topic().equals(topic)).count();
  }

  private void put(int count, String topic) {
    for (int i = 0; i < count; i++) {
      String key = "k" + ids % 100;
      Lane lane = new Lane(Math.floorMod(new Key(key).hashCode(), LANES));
      lanes.put(StoredEnvelope.ready(++ids, lane, envelope(topic, key)));
    }
  }

  private long moved() {
    return lanes.settlements.stream()
        .flatMap(settlement -> settlement.fates().stream())
        .filter(fate -> fate instanceof Fate.Park park && park.reason() == HoldReason.TOPIC)
        .map(fate -> fate.storedEnvelope().id())
        .collect(Collectors.toSet())
        .size();
  }
}
