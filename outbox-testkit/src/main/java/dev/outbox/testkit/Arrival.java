package dev.outbox.testkit;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An envelope as it arrived at an in-memory broker: {@code number} counts all arrivals from 1,
 * {@code at} is the broker's clock.
 *
 * <p>Immutable.
 *
 * <pre>{@code
 * Arrival first = broker.messages("orders.placed").get(0);
 * System.out.println(first.id() + " " + first.topic() + " " + first.key() + " " + first.text());
 * }</pre>
 */
public record Arrival(long number, Instant at, Envelope envelope) {
  public MessageId id() {
    return envelope.id();
  }

  public String topic() {
    return envelope.topic();
  }

  /** The ordering key, or null. */
  public @Nullable Key key() {
    return envelope.key();
  }

  /** The payload read as UTF-8. */
  public String text() {
    return envelope.payload().text();
  }
}
