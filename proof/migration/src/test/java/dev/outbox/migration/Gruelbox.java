package dev.outbox.migration;

import com.example.OrderPlaced;
import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.ExecutorSubmitter;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;

/** gruelbox's transaction-outbox: a call of {@code publish(customer, json)} is a row. Stateless. */
final class Gruelbox implements Origin {
  /** What is called for each message. */
  public static class Publishing {
    /** Publishes nowhere. */
    public void publish(String customer, String json) {}
  }

  @Override
  public void fill(Sandbox sandbox) {
    TransactionManager transactions = TransactionManager.fromDataSource(sandbox.pool(2));
    Persistor persistor =
        Persistor.forDialect(
            sandbox.server().database() == Database.POSTGRES
                ? Dialect.POSTGRESQL_9
                : Dialect.MY_SQL_8);
    Submitter atOnce = ExecutorSubmitter.builder().executor(Runnable::run).build();
    TransactionOutbox delivering = outbox(transactions, persistor, atOnce);
    TransactionOutbox resting = outbox(transactions, persistor, (entry, process) -> {});
    for (OrderPlaced order : Origin.orders()) {
      boolean delivered = order.number() <= DELIVERED;
      TransactionOutbox outbox = delivered ? delivering : resting;
      transactions.inTransaction(
          transaction ->
              // a row with such an id stays after its delivery
              outbox
                  .with()
                  .uniqueRequestId(delivered ? "request-" + order.number() : null)
                  .schedule(Publishing.class)
                  .publish(order.customer(), Origin.json(order)));
    }
  }

  private static TransactionOutbox outbox(
      TransactionManager transactions, Persistor persistor, Submitter submitter) {
    return TransactionOutbox.builder()
        .transactionManager(transactions)
        .persistor(persistor)
        .instantiator(Instantiator.using(type -> new Publishing()))
        .submitter(submitter)
        .build();
  }

  @Override
  public String ids() {
    return "SELECT id FROM TXNO_OUTBOX";
  }

  /** By the time of the next attempt, which is that of the enqueue until one has failed. */
  @Override
  public boolean keepsOrder(boolean isPostgres) {
    return true;
  }
}
