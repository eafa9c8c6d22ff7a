package dev.outbox.testkit.contract;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A publisher that promises nothing of messages of one key, and watches that no two of one topic
 * and key are ever in the air together.
 *
 * <p>Safe for use by many threads.
 */
final class OneOfAKey implements Publisher {
  private final Publisher publisher;
  private final Set<List<Object>> inTheAir = ConcurrentHashMap.newKeySet();
  private final List<String> together = new CopyOnWriteArrayList<>();

  OneOfAKey(Publisher publisher) {
    this.publisher = publisher;
  }

  @Override
  public void publish(Flight flight) throws Exception {
    for (Envelope envelope : flight.envelopes()) {
      Key key = envelope.key();
      if (key != null && !inTheAir.add(List.of(envelope.topic(), key))) {
        together.add(envelope.payload().text());
      }
    }
    publisher.publish(new Watched(flight));
  }

  /** The texts of those that met another one of their key in the air. */
  List<String> together() {
    return new ArrayList<>(together);
  }

  private final class Watched implements Flight {
    private final Flight flight;

    Watched(Flight flight) {
      this.flight = flight;
    }

    @Override
    public List<Envelope> envelopes() {
      return flight.envelopes();
    }

    @Override
    public boolean isOver() {
      return flight.isOver();
    }

    @Override
    public Instant deadline() {
      return flight.deadline();
    }

    @Override
    public void ack(Envelope envelope, Ack ack) {
      Key key = envelope.key();
      if (key != null) {
        inTheAir.remove(List.of(envelope.topic(), key));
      }
      flight.ack(envelope, ack);
    }

    @Override
    public OptionalLong fencingToken() {
      return flight.fencingToken();
    }

    @Override
    public Connection transaction() {
      return flight.transaction();
    }
  }
}
