package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The producer's thread makes room in its buffer, so it must never wait for some. */
@Tag("proof")
class KafkaBufferTest {
  private static final int KEYS = 20;
  private static final int EACH = 10;
  private static final int BYTES = 60_000;

  @Test
  void answers_that_begin_sends_do_not_block_while_the_buffer_is_full() throws Exception {
    TestBroker broker = TestBroker.get();
    String topic = broker.newTopic(Map.of());
    List<Envelope> envelopes = new ArrayList<>();
    for (int number = 0; number < KEYS * EACH; number++) {
      envelopes.add(KafkaEnvironment.message(topic, "k" + number % KEYS, new byte[BYTES]));
    }
    try (KafkaPublisher publisher =
        KafkaPublisher.create(
            Map.of(
                "bootstrap.servers",
                broker.server.bootstrapServers(),
                "buffer.memory",
                3 * BYTES))) {
      ManyFlight flight = new ManyFlight(envelopes, Duration.ofSeconds(30));
      publisher.publish(flight);
      assertThat(flight.await()).hasSize(KEYS * EACH).hasOnlyElementsOfType(Ack.Delivered.class);
    }
    assertThat(broker.records(topic)).hasSize(KEYS * EACH);
  }
}
