package dev.outbox.jdbc;

import dev.outbox.Transactions;
import java.sql.Connection;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;

/**
 * The transaction of a Jdbi handle, for {@code Outbox.join}.
 *
 * <pre>{@code
 * jdbi.useTransaction(handle -> {
 *   handle.execute("INSERT INTO orders (id) VALUES (?)", order.id());
 *   outbox.join(JdbiTransactions.create(handle)).enqueue(message);
 * });
 * }</pre>
 *
 * <p>Jdbi is asked at each use whether a transaction is active. Its default handler takes every
 * connection without autocommit for one: on a pool of such connections give it {@code
 * LocalTransactionHandler.managed()}. Used by the handle's thread.
 */
public final class JdbiTransactions implements Transactions {
  private final Handle handle;

  private JdbiTransactions(Handle handle) {
    this.handle = handle;
  }

  /**
   * The transaction that {@code handle} is in.
   *
   * @throws IllegalStateException when it is in none
   */
  public static JdbiTransactions create(Handle handle) {
    JdbiTransactions transactions = new JdbiTransactions(handle);
    transactions.requireActive();
    return transactions;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when the handle is in no transaction any more
   */
  @Override
  public void use(Consumer<Connection> work) {
    requireActive();
    work.accept(handle.getConnection());
  }

  @Override
  public void afterCommit(Runnable action) {
    handle.afterCommit(action);
  }

  private void requireActive() {
    if (!handle.isInTransaction()) {
      throw new IllegalStateException(
          "the handle is not in a transaction; enqueue inside jdbi.useTransaction or handle.inTransaction");
    }
  }
}
