package dev.outbox;

import dev.outbox.internal.enqueue.CommitWakeups;
import dev.outbox.internal.enqueue.JdbcTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * How an outbox takes part in the application's transactions: gives the connection of the current
 * transaction, and runs something after it commits. Spring, Hibernate, jOOQ and Jdbi have a class
 * each; {@link #of} adapts any other framework.
 *
 * <p>Safe for use by many threads if what it is made of is.
 *
 * <pre>{@code
 * Transactions.run(
 *     dataSource,
 *     outbox,
 *     transaction -> {
 *       order.insert(transaction);
 *       outbox.enqueue(transaction, message);
 *     });
 * MessageId id = Transactions.call(dataSource, outbox, tx -> outbox.enqueue(tx, message));
 *
 * // your framework: its current connection, and what runs after its commit
 * Transactions mine = Transactions.of(work -> work.accept(connection), callbacks::add);
 * mine.use(order::insert);
 * mine.afterCommit(outbox::wake);
 * outbox.join(mine).enqueue(message);
 * }</pre>
 */
public interface Transactions {
  /**
   * Calls {@code work} once, with the connection of the calling thread's transaction; throws where
   * there is none.
   */
  void use(Consumer<Connection> work);

  /**
   * Runs {@code action} after the calling thread's transaction has committed, and never when it
   * rolls back.
   */
  void afterCommit(Runnable action);

  /** Transactions made of two functions. */
  static Transactions of(Consumer<Consumer<Connection>> use, Consumer<Runnable> afterCommit) {
    Objects.requireNonNull(use, "use");
    Objects.requireNonNull(afterCommit, "afterCommit");
    return new Transactions() {
      @Override
      public void use(Consumer<Connection> work) {
        use.accept(work);
      }

      @Override
      public void afterCommit(Runnable action) {
        afterCommit.accept(action);
      }
    };
  }

  /**
   * Runs {@code work} in a transaction of plain JDBC: begins, works, commits and wakes the relay
   * with the lanes that {@code outbox} wrote to on that connection. What {@code work} throws rolls
   * back and is rethrown.
   *
   * @throws SQLException when the database refuses; after a failed commit it is not known whether
   *     it took effect
   */
  static <E extends Exception> void run(DataSource dataSource, Outbox outbox, Work<E> work)
      throws E, SQLException {
    Objects.requireNonNull(work, "work");
    Transactions.<Boolean, E>call(
        dataSource,
        outbox,
        connection -> {
          work.run(connection);
          return true;
        });
  }

  /**
   * As {@link #run(DataSource, Outbox, Work)}, for languages that know no checked exceptions, as
   * Kotlin: a lambda there needs no type argument. A lambda in Java never means this one.
   */
  static void run(DataSource dataSource, Outbox outbox, AnyWork work) throws Exception {
    Objects.requireNonNull(work, "work");
    Transactions.<Exception>run(dataSource, outbox, (Work<Exception>) work::run);
  }

  /** As {@link #run(DataSource, Outbox, Work)}, for work with a result. */
  static <T, E extends Exception> T call(DataSource dataSource, Outbox outbox, Call<T, E> work)
      throws E, SQLException {
    Objects.requireNonNull(dataSource, "dataSource");
    Objects.requireNonNull(work, "work");
    CommitWakeups commitWakeups = Objects.requireNonNull(outbox, "outbox").commitWakeups();
    try (Connection connection = dataSource.getConnection()) {
      return new JdbcTransaction(connection, commitWakeups).call(work);
    }
  }

  /** Work in a transaction that may throw anything. */
  @FunctionalInterface
  interface AnyWork {
    void run(Connection transaction) throws Exception;
  }

  /** Work in a transaction; never commits, rolls back or closes the connection. */
  @FunctionalInterface
  interface Work<E extends Exception> extends AnyWork {
    @Override
    void run(Connection transaction) throws E, SQLException;
  }

  /** Work in a transaction that returns something. */
  @FunctionalInterface
  interface Call<T, E extends Exception> {
    T call(Connection transaction) throws E, SQLException;
  }
}
