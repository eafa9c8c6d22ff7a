package dev.outbox.brokers.judge;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import java.io.PrintStream;
import java.sql.Connection;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * A publisher that writes a line when a flight begins and one when its last message was answered,
 * with those that were not delivered, so that it is known which flights were in progress when
 * something was killed, and which were in vain. Thread-safe.
 */
public record FlightLog(Publisher publisher, PrintStream out, AtomicInteger last)
    implements Publisher {
  static final String BEGIN = "flight";
  static final String END = "landed";

  public static FlightLog of(Publisher publisher, PrintStream out) {
    return new FlightLog(publisher, out, new AtomicInteger());
  }

  @Override
  public void publish(Flight flight) throws Exception {
    int number = last.incrementAndGet();
    String ids = ids(flight.envelopes());
    out.println(
        String.join(
            " ", BEGIN, String.valueOf(number), String.valueOf(System.currentTimeMillis()), ids));
    AtomicInteger open = new AtomicInteger(flight.envelopes().size());
    publisher.publish(new Counted(flight, number, out, open, new ConcurrentLinkedQueue<>()));
  }

  private static String ids(Collection<Envelope> envelopes) {
    return envelopes.stream().map(each -> each.id().toString()).collect(Collectors.joining(","));
  }

  @Override
  public Ordering ordering() {
    return publisher.ordering();
  }

  @Override
  public BrokerGuarantees brokerGuarantees() {
    return publisher.brokerGuarantees();
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return publisher.unanswered(envelope, silence);
  }

  private record Counted(
      Flight flight, int number, PrintStream out, AtomicInteger open, Queue<Envelope> undelivered)
      implements Flight {
    @Override
    public void ack(Envelope envelope, Ack ack) {
      flight.ack(envelope, ack);
      if (!(ack instanceof Ack.Delivered)) {
        undelivered.add(envelope);
      }
      if (open.decrementAndGet() == 0) {
        String now = String.valueOf(System.currentTimeMillis());
        out.println(String.join(" ", END, String.valueOf(number), now, ids(undelivered)));
      }
    }

    @Override
    public List<Envelope> envelopes() {
      return flight.envelopes();
    }

    @Override
    public Instant deadline() {
      return flight.deadline();
    }

    @Override
    public boolean shouldStop() {
      return flight.shouldStop();
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
