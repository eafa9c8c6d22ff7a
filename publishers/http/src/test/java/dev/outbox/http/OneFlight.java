package dev.outbox.http;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A flight of one message. */
final class OneFlight implements Flight {
  private final Envelope envelope;
  private final Instant deadline;
  private final CompletableFuture<Ack> answer = new CompletableFuture<>();

  OneFlight(Envelope envelope, Duration time) {
    this.envelope = envelope;
    this.deadline = Instant.now().plus(time);
  }

  Ack await() throws Exception {
    return answer.get(40, TimeUnit.SECONDS);
  }

  @Override
  public List<Envelope> envelopes() {
    return List.of(envelope);
  }

  @Override
  public Instant deadline() {
    return deadline;
  }

  @Override
  public boolean shouldStop() {
    return Instant.now().isAfter(deadline);
  }

  @Override
  public void ack(Envelope of, Ack ack) {
    answer.complete(ack);
  }

  @Override
  public Connection transaction() {
    throw new UnsupportedOperationException("no transaction");
  }
}
