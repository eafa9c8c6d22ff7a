package dev.outbox.internal.relay.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Visible;
import dev.outbox.internal.relay.batch.Batch;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.lane.OwnedLanes;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReadCapacityTest {
  private static final int BYTES = 8 << 20;

  private final OwnedLanes owned = new OwnedLanes();
  private final ReadCapacity capacity =
      new ReadCapacity(owned, new RelaySettings.Volume(500, 2000, BYTES, 8), new Random(1));

  @Test
  void one_lane_gets_a_batch() {
    own(1);

    assertThat(capacity.perLane(all())).isEqualTo(500);
  }

  @Test
  void many_lanes_share_what_there_is() {
    own(32);

    assertThat(capacity.perLane(all())).isEqualTo(2000 / 32);
  }

  @Test
  void one_of_many_gets_what_is_not_held_and_not_kept_free_for_the_others() {
    own(32);
    hold(0, 970);

    assertThat(capacity.perLane(lastLane())).isEqualTo(2000 - 970 - 30 * 31);
  }

  @Test
  void keeps_room_for_a_lane_that_begins_to_move_however_full_it_is() {
    own(32);
    hold(0, 2000);

    assertThat(capacity.perLane(lastLane())).isEqualTo(2000 / 2 / 32);
  }

  @Test
  void reads_at_least_one_message_of_each_of_very_many_lanes() {
    own(5000);

    assertThat(capacity.perLane(all())).isEqualTo(1);
  }

  @Test
  void no_more_lanes_may_begin_than_there_is_room_for_messages() {
    own(3);
    assertThat(capacity.lanes(any -> true)).hasSize(3);

    hold(0, 1998);
    assertThat(capacity.lanes(any -> true))
        .hasSize(2)
        .isSortedAccordingTo(Comparator.comparing(ReadableLane::lane));

    hold(1, 2);
    assertThat(capacity.lanes(any -> true)).isEmpty();

    hold(2, 3000);
    assertThat(capacity.lanes(any -> true)).isEmpty();
  }

  @Test
  void bytes_are_what_is_left_of_the_bound() {
    own(2);
    assertThat(capacity.bytes()).isEqualTo(BYTES);

    hold(0, List.of(stored(3), stored(4)));
    assertThat(capacity.bytes()).isEqualTo(BYTES - 7);

    hold(1, List.of(stored(9 << 20)));
    assertThat(capacity.bytes()).isZero();
  }

  private void own(int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      owned.add(
          new LaneRun(
              new LaneClaim(new Lease(new Lane(lane), "test", 1, 0), Set.of(), 0, null),
              Samples.atSecond(0),
              Duration.ofSeconds(13),
              Samples.rules(new TopicGates())));
    }
  }

  private List<ReadableLane> all() {
    return List.copyOf(capacity.runs());
  }

  private List<ReadableLane> lastLane() {
    return all().subList(all().size() - 1, all().size());
  }

  private void hold(int lane, int messages) {
    List<StoredEnvelope> held = new ArrayList<>();
    for (long id = 1; id <= messages; id++) {
      held.add(Samples.ready(id, null));
    }
    hold(lane, held);
  }

  private void hold(int lane, List<StoredEnvelope> messages) {
    all().get(lane).begin(messages, Batch.Held.PARK, false, new Visible(0, 0));
  }

  private static StoredEnvelope stored(int bytes) {
    Payload payload = new Payload("application/octet-stream", new byte[bytes]);
    Envelope envelope = new Envelope(MessageId.next(), "t", null, Map.of(), payload, null);
    return StoredEnvelope.ready(1, Samples.LANE, envelope);
  }
}
