package dev.outbox.jooq;

import dev.outbox.Transactions;
import java.sql.Connection;
import java.util.function.Consumer;
import org.jooq.Configuration;
import org.jooq.TransactionListener;

/**
 * The transaction of a jOOQ configuration, for {@code Outbox.join}. It needs {@link #listener} in
 * the configuration that the transaction is begun with:
 *
 * <pre>{@code
 * DSLContext create = DSL.using(configuration.deriveAppending(JooqTransactions.listener()));
 * create.transaction(transaction -> {
 *   transaction.dsl().insertInto(ORDERS).values(order.id()).execute();
 *   outbox.join(JooqTransactions.of(transaction)).enqueue(message);
 * });
 * }</pre>
 *
 * <p>Used by the transaction's thread.
 */
public final class JooqTransactions implements Transactions {
  private final Configuration transaction;

  private JooqTransactions(Configuration transaction) {
    this.transaction = transaction;
  }

  /**
   * What jOOQ reports of its transactions, so that {@link #of} knows whether one is active. Safe
   * for use by many threads.
   */
  public static TransactionListener listener() {
    return new LevelListener();
  }

  /**
   * The transaction that jOOQ gave this configuration to the work of.
   *
   * @throws IllegalStateException when it is in none, or without {@link #listener}
   */
  public static JooqTransactions of(Configuration transaction) {
    JooqTransactions transactions = new JooqTransactions(transaction);
    transactions.active();
    return transactions;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when the transaction is over
   */
  @Override
  public void use(Consumer<Connection> work) {
    active();
    transaction.dsl().connection(work::accept);
  }

  /**
   * Runs {@code action} after the outermost transaction has committed, and never when it or a
   * nested one around the call rolls back. jOOQ reports a commit that failed like one that did not:
   * the action runs then too.
   *
   * @throws IllegalStateException when the transaction is over
   */
  @Override
  public void afterCommit(Runnable action) {
    active().add(action);
  }

  private Level active() {
    Level level = Level.of(transaction);
    if (level == null || !level.isOpen()) {
      throw new IllegalStateException(
          "the configuration is not in a transaction; enqueue inside create.transaction(configuration -> ...) with the configuration"
              + " that it gives you, where create was made with JooqTransactions.listener()");
    }
    return level;
  }
}
