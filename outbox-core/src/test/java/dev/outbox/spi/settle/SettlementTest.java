package dev.outbox.spi.settle;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettlementTest {
  @Test
  void a_fate_of_a_lane_that_the_lease_is_not_for_is_refused() {
    Payload payload = new Payload("text/plain", new byte[0]);
    Envelope envelope = new Envelope(MessageId.next(), "t", null, Map.of(), payload, null);
    Fate foreign = new Fate.Deliver(StoredEnvelope.ready(7, new Lane(2), envelope));
    Lease lease = new Lease(new Lane(1), "relay", 1, 0);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Settlement(lease, 0, List.of(foreign), Settlement.After.RENEW))
        .withMessage("message 7 is of lane 2, its settlement of lane 1");
  }
}
