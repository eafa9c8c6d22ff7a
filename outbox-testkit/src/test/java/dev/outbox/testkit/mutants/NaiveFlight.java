package dev.outbox.testkit.mutants;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** A flight of a naive relay. */
final class NaiveFlight implements Flight {
  private final Publisher publisher;
  private final List<StoredEnvelope> aboard;
  private final LongSupplier nanos;
  private final long deadline;
  private final Map<Envelope, Ack> answers = new HashMap<>();

  NaiveFlight(Publisher publisher, List<StoredEnvelope> aboard, LongSupplier nanos, long deadline) {
    this.publisher = publisher;
    this.aboard = List.copyOf(aboard);
    this.nanos = nanos;
    this.deadline = deadline;
  }

  List<StoredEnvelope> aboard() {
    return aboard;
  }

  boolean isAnswered() {
    return answers.size() == aboard.size();
  }

  boolean isLate(long now) {
    return now >= deadline;
  }

  Ack answer(StoredEnvelope storedEnvelope) {
    Ack ack = answers.get(storedEnvelope.envelope());
    return ack == null
        ? publisher.unanswered(storedEnvelope.envelope(), new TimeoutException("no answer"))
        : ack;
  }

  void answerTheRest(Ack ack) {
    aboard.forEach(storedEnvelope -> answers.putIfAbsent(storedEnvelope.envelope(), ack));
  }

  @Override
  public List<Envelope> envelopes() {
    return aboard.stream().map(StoredEnvelope::envelope).toList();
  }

  @Override
  public Instant deadline() {
    return Instant.MAX;
  }

  @Override
  public boolean shouldStop() {
    return nanos.getAsLong() >= deadline;
  }

  @Override
  public void ack(Envelope envelope, Ack ack) {
    answers.putIfAbsent(envelope, ack);
  }

  @Override
  public Connection transaction() {
    throw new UnsupportedOperationException("claimed by lanes");
  }
}
