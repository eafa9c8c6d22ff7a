package dev.outbox.publish;

import java.sql.Connection;
import java.sql.Savepoint;

/** One envelope at a time in the claim's transaction; a failed one is undone alone. */
record TransactionalPublisher(Publisher.SendInTransaction send) implements Publisher {
  @Override
  public void publish(Flight flight) {
    Connection transaction = flight.transaction();
    KeySequence.run(
        flight,
        envelope -> {
          Savepoint before = transaction.setSavepoint();
          try {
            send.send(envelope, transaction);
          } catch (Exception e) {
            transaction.rollback(before);
            throw e;
          }
        });
  }

  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }

  @Override
  public boolean isTransactional() {
    return true;
  }
}
