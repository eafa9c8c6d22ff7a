package dev.outbox.hibernate;

import dev.outbox.Transactions;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.sql.Connection;
import java.util.function.Consumer;
import org.hibernate.SharedSessionContract;
import org.hibernate.Transaction;

/**
 * The transaction of a Hibernate session, for {@code Outbox.join}.
 *
 * <pre>{@code
 * sessionFactory.inTransaction(session -> {
 *   session.persist(order);
 *   outbox.join(HibernateTransactions.of(session)).enqueue(message);
 * });
 * }</pre>
 *
 * <p>Hibernate is asked at each use whether a transaction is active: a connection of a pool without
 * autocommit does not show it, and what is written through it outside of a transaction is committed
 * by the next user of the connection. Used by the session's thread.
 */
public final class HibernateTransactions implements Transactions {
  private final SharedSessionContract session;

  private HibernateTransactions(SharedSessionContract session) {
    this.session = session;
  }

  /**
   * The transactions of {@code session}, a {@code Session} or a {@code StatelessSession}. With one
   * that ends they are not over: the next of the same session is joined as well.
   */
  public static HibernateTransactions of(SharedSessionContract session) {
    return new HibernateTransactions(session);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when the session is in no transaction
   */
  @Override
  public void use(Consumer<Connection> work) {
    active();
    session.doWork(work::accept);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when the session is in no transaction
   */
  @Override
  public void afterCommit(Runnable action) {
    active().registerSynchronization(new AfterCommit(action));
  }

  private Transaction active() {
    Transaction transaction = session.getTransaction();
    if (!transaction.isActive()) {
      throw new IllegalStateException(
          "the session is not in a transaction; enqueue inside sessionFactory.inTransaction, or after session.beginTransaction()");
    }
    return transaction;
  }

  private record AfterCommit(Runnable action) implements Synchronization {
    @Override
    public void beforeCompletion() {}

    @Override
    public void afterCompletion(int status) {
      if (status == Status.STATUS_COMMITTED) {
        action.run();
      }
    }
  }
}
