package dev.outbox.jdbc.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.NewEnvelope;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AppendsTest {
  private static List<Integer> sizes(String header, int bytes) {
    Envelope envelope =
        new Envelope(
            MessageId.next(),
            "t",
            null,
            Map.of("h", header),
            new Payload("text/plain", new byte[bytes]),
            null);
    NewEnvelope message = new NewEnvelope(new Lane(0), envelope, null);
    return Appends.chunks(Collections.nCopies(5, message)).stream().map(List::size).toList();
  }

  @Test
  void a_statement_holds_at_most_a_mebibyte_of_payloads_and_headers() {
    assertThat(sizes("", 500_000)).containsExactly(2, 2, 1);
    assertThat(sizes("\u5931".repeat(170_000), 0)).containsExactly(2, 2, 1);
    assertThat(sizes("\u5931".repeat(100_000), 300_000)).containsExactly(1, 1, 1, 1, 1);
    assertThat(sizes("", 2_000_000)).containsExactly(1, 1, 1, 1, 1);
  }
}
