package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.SendObserver;
import java.sql.Connection;
import java.sql.Savepoint;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** One envelope at a time in the claim's transaction; a failed one is undone alone. */
public record TransactionalPublisher(Publisher.SendInTransaction send, Reading reading)
    implements Publisher {
  @Override
  public void publish(Flight flight) {
    Connection transaction = flight.transaction();
    SequentialSend.run(flight, envelope -> sendOrUndo(envelope, transaction), reading);
  }

  private void sendOrUndo(Envelope envelope, Connection transaction) throws Exception {
    Savepoint before = transaction.setSavepoint();
    try {
      send.send(envelope, transaction);
    } catch (
        Throwable thrown) { // after an Error too: the claim commits, and half an effect with it
      SubFlight.undo(transaction, before, thrown);
      throw thrown;
    }
  }

  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    return new TransactionalPublisher(send, reading.classified(classifier));
  }

  @Override
  public Publisher observed(SendObserver observer) {
    return new TransactionalPublisher(send, reading.observed(observer));
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return reading.silence(silence);
  }

  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }

  /** An effect commits with the removal of its message, so that a repeat has none. */
  @Override
  public BrokerGuarantees brokerGuarantees() {
    return BrokerGuarantees.nothing()
        .dedupes(BrokerGuarantees.FOR_EVER)
        .fencing()
        .durable(BrokerGuarantees.Durability.DISK);
  }

  @Override
  public boolean isTransactional() {
    return true;
  }
}
