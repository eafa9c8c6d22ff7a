package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import java.sql.Connection;
import java.sql.Savepoint;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** One envelope at a time in the claim's transaction; a failed one is undone alone. */
public record TransactionalPublisher(
    Publisher.SendInTransaction send,
    Function<Throwable, Ack> reading,
    Function<Throwable, Ack> silent)
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
      transaction.rollback(before);
      throw thrown;
    }
  }

  /** As with a blocking publisher. */
  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    Objects.requireNonNull(classifier, "classifier");
    return new TransactionalPublisher(
        send,
        thrown -> ClassifyingPublisher.reread(reading.apply(thrown), classifier),
        thrown -> ClassifyingPublisher.reread(silent.apply(thrown), classifier));
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return silent.apply(silence);
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
