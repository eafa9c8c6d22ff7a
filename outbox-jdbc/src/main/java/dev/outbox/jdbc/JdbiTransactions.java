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
 *   outbox.join(JdbiTransactions.of(handle)).enqueue(message);
 * });
 * }</pre>
 *
 * <p>Used by the handle's thread.
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
    if (!handle.isInTransaction()) {
      throw new IllegalStateException(
          "the handle is in no transaction; enqueue inside jdbi.useTransaction or handle.inTransaction");
    }
    return new JdbiTransactions(handle);
  }

  @Override
  public void use(Consumer<Connection> work) {
    work.accept(handle.getConnection());
  }

  @Override
  public void afterCommit(Runnable action) {
    handle.afterCommit(action);
  }
}
