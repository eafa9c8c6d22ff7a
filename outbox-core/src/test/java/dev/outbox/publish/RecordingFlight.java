package dev.outbox.publish;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A flight that keeps the first answer of each envelope and counts the others, as the engine's
 * does.
 */
public final class RecordingFlight implements Flight {
  private final List<Envelope> envelopes;
  private final Map<MessageId, Ack> answers = new ConcurrentHashMap<>();
  private final AtomicInteger ignored = new AtomicInteger();
  private final @Nullable Connection transaction;
  public volatile boolean over;

  private RecordingFlight(List<Envelope> envelopes, @Nullable Connection transaction) {
    this.envelopes = envelopes;
    this.transaction = transaction;
  }

  public static RecordingFlight of(Envelope... envelopes) {
    return new RecordingFlight(List.of(envelopes), null);
  }

  public static RecordingFlight in(Connection transaction, Envelope... envelopes) {
    return new RecordingFlight(List.of(envelopes), transaction);
  }

  public static Envelope envelope(String topic, @Nullable String key) {
    return new Envelope(
        MessageId.next(),
        topic,
        key == null ? null : new Key(key),
        Map.of(),
        new Payload("text/plain", new byte[0]),
        null);
  }

  public static Envelope keyed(String key) {
    return envelope("orders", key);
  }

  public static Envelope keyless() {
    return envelope("orders", null);
  }

  public Ack answer(Envelope envelope) {
    return answers.get(envelope.id());
  }

  public List<Class<?>> kinds() {
    return envelopes.stream()
        .<Class<?>>map(e -> answer(e) == null ? Void.class : answer(e).getClass())
        .toList();
  }

  public List<Class<?>> none() {
    return Stream.<Class<?>>generate(() -> Void.class).limit(envelopes.size()).toList();
  }

  public int ignored() {
    return ignored.get();
  }

  @Override
  public List<Envelope> envelopes() {
    return envelopes;
  }

  @Override
  public boolean shouldStop() {
    return over;
  }

  @Override
  public Instant deadline() {
    return Instant.MAX;
  }

  @Override
  public void ack(Envelope envelope, Ack ack) {
    if (answers.putIfAbsent(envelope.id(), ack) != null) {
      ignored.incrementAndGet();
    }
  }

  @Override
  public Connection transaction() {
    if (transaction == null) {
      throw new UnsupportedOperationException("no transaction open");
    }
    return transaction;
  }
}
