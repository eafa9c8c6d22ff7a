package dev.outbox.internal.relay.flight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.lane.Batch;
import dev.outbox.internal.relay.read.ReadBudget;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SizesTest {
  @Nested
  class Of_a_flight {
    private final FlightSize size = new FlightSize(Duration.ofSeconds(30), 500);

    @Test
    void starts_small_and_never_above_the_batch() {
      assertThat(size.get()).isEqualTo(32);
      assertThat(new FlightSize(Duration.ofSeconds(30), 5).get()).isEqualTo(5);
    }

    @Test
    void fits_what_the_publisher_moves_in_a_quarter_of_the_deadline() {
      size.learn(32, Duration.ofMillis(3200));

      assertThat(size.get()).isEqualTo(75);
    }

    @Test
    void grows_at_most_fourfold_at_a_time_up_to_the_batch() {
      size.learn(32, Duration.ZERO);
      assertThat(size.get()).isEqualTo(128);
      size.learn(128, Duration.ofNanos(1));
      assertThat(size.get()).isEqualTo(500);
    }

    @Test
    void never_falls_below_one_and_recovers() {
      size.learn(32, Duration.ofDays(1000));
      assertThat(size.get()).isEqualTo(1);
      size.learn(1, Duration.ofMillis(1));
      assertThat(size.get()).isEqualTo(4);
    }
  }

  @Nested
  class Of_a_read {
    private final ReadBudget budget =
        new ReadBudget(new RelaySettings.Volume(500, 2000, 8 << 20, 8));

    @Test
    void one_lane_gets_a_batch_and_many_share_what_there_is() {
      assertThat(budget.perLane(1, 1, 0)).isEqualTo(500);
      assertThat(budget.perLane(32, 32, 0)).isEqualTo(1000 / 32 + 1000 / 32);
    }

    @Test
    void keeps_room_for_a_lane_that_begins_to_move_however_full_it_is() {
      assertThat(budget.perLane(1, 32, 2000 - 100)).isEqualTo(100);
      assertThat(budget.perLane(1, 32, 2000)).isEqualTo(1000 / 32);
      assertThat(budget.perLane(5000, 5000, 2000)).isEqualTo(1);
    }

    @Test
    void leaves_out_all_lanes_without_room() {
      assertThat(budget.lanes(0)).isEqualTo(2000);
      assertThat(budget.lanes(1999)).isEqualTo(1);
      assertThat(budget.lanes(2000)).isZero();
      assertThat(budget.lanes(1_000_000)).isZero();
    }

    @Test
    void bytes_are_what_is_left_of_the_bound() {
      assertThat(budget.bytes(0)).isEqualTo(8 << 20);
      assertThat(budget.bytes(8 << 20)).isZero();
      assertThat(budget.bytes(9 << 20)).isZero();
      assertThat(Batch.bytes(List.of(stored(3), stored(4)))).isEqualTo(7);
    }

    private StoredEnvelope stored(int bytes) {
      Payload payload = new Payload("application/octet-stream", new byte[bytes]);
      Envelope envelope = new Envelope(MessageId.next(), "t", null, Map.of(), payload, null);
      return StoredEnvelope.ready(1, Samples.LANE, envelope);
    }
  }
}
