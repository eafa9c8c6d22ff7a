package dev.outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import java.time.Duration;
import java.util.Map;

/** Messages of one flight each, and what their answers must be. */
final class Answers {
  static final Duration DEADLINE = Duration.ofSeconds(10);

  private Answers() {}

  static Envelope message(String topic) {
    return TestBroker.message(topic, "42", new byte[10]);
  }

  static Envelope withLongHeader(String topic, int length) {
    Envelope plain = message(topic);
    Map<String, String> headers = Map.of("long", "x".repeat(length));
    return new Envelope(plain.id(), topic, null, headers, plain.payload(), null);
  }

  static OneFlight begin(Publisher publisher, Envelope envelope) throws Exception {
    OneFlight flight = new OneFlight(envelope, DEADLINE);
    publisher.publish(flight);
    return flight;
  }

  static Ack answer(Publisher publisher, Envelope envelope) throws Exception {
    return begin(publisher, envelope).await();
  }

  static void requireDelivered(Ack ack) {
    assertThat(ack).isInstanceOf(Ack.Delivered.class);
  }

  static void requireRejected(Ack ack, String... texts) {
    assertThat(ack).isInstanceOf(Ack.Rejected.class);
    assertThat(((Ack.Rejected) ack).reason()).contains(texts);
  }

  static void requireUnavailable(Ack ack, Class<?> cause, String... texts) {
    assertThat(ack).isInstanceOf(Ack.Unavailable.class);
    Throwable thrown = ((Ack.Unavailable) ack).cause();
    assertThat(thrown).isInstanceOf(cause);
    for (String text : texts) {
      assertThat(thrown.toString()).contains(text);
    }
  }
}
