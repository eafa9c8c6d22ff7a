package dev.outbox.spring;

import dev.outbox.Transactions;
import java.sql.Connection;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions that Spring runs on a data source, for {@code Outbox.join}: those of JPA, {@code
 * JdbcTemplate}, jOOQ and MyBatis alike.
 *
 * <pre>{@code
 * SpringTransactions transactions = SpringTransactions.of(dataSource);
 * transactionManager.addListener(transactions);
 * Outbox.Joined joined = outbox.join(transactions);
 * }</pre>
 *
 * <p>Spring is asked at each use whether a transaction is active: a connection of a pool without
 * autocommit does not show it, and what is written through it outside of a transaction is lost
 * silently. As a listener of the transaction manager it also knows that a transaction has
 * committed, and refuses what comes later, as in a {@code @TransactionalEventListener}. Spring Boot
 * adds a bean of this type to its transaction manager by itself.
 *
 * <p>Safe for use by many threads.
 */
public final class SpringTransactions implements Transactions, TransactionExecutionListener {
  private static final ThreadLocal<@Nullable Level> LEVEL = new ThreadLocal<>();

  private final DataSource dataSource;

  private SpringTransactions(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * The transactions on {@code dataSource}, which must be the one that the transaction manager has.
   */
  public static SpringTransactions of(DataSource dataSource) {
    DataSource target =
        dataSource instanceof TransactionAwareDataSourceProxy proxy
            ? proxy.getTargetDataSource()
            : dataSource;
    return new SpringTransactions(Objects.requireNonNull(target, "dataSource"));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when no transaction is active, or it is read-only, on another
   *     data source, or committed already
   */
  @Override
  public void use(Consumer<Connection> work) {
    requireTransaction();
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      work.accept(connection);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException as {@link #use} does
   */
  @Override
  public void afterCommit(Runnable action) {
    requireTransaction();
    TransactionSynchronizationManager.registerSynchronization(new AfterCommit(action));
  }

  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
    if (failure == null) {
      LEVEL.set(new Level(transaction, false, LEVEL.get()));
    }
  }

  @Override
  public void beforeCommit(TransactionExecution transaction) {
    Level begun = LEVEL.get();
    if (begun != null && begun.transaction == transaction) {
      LEVEL.set(new Level(transaction, true, begun.outer));
    }
  }

  @Override
  public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
    end(transaction);
  }

  @Override
  public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
    end(transaction);
  }

  private void end(TransactionExecution transaction) {
    Level begun = LEVEL.get();
    if (begun == null || begun.transaction != transaction) {
      return;
    }
    if (begun.outer == null) {
      LEVEL.remove();
    } else {
      LEVEL.set(begun.outer);
    }
  }

  private void requireTransaction() {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException(
          "no transaction is active; enqueue in a @Transactional method that is called from another bean, or in TransactionTemplate.execute");
    }
    Level begun = LEVEL.get();
    if (!TransactionSynchronizationManager.isSynchronizationActive()
        || (begun != null && begun.committing)) {
      throw new IllegalStateException(
          "the transaction has ended already; enqueue before it commits (@TransactionalEventListener(phase = BEFORE_COMMIT) or @EventListener), or in a new one (@Transactional(propagation = REQUIRES_NEW))");
    }
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw new IllegalStateException(
          "the transaction is read-only; enqueue in one that was begun with @Transactional(readOnly = false)");
    }
    if (!TransactionSynchronizationManager.hasResource(dataSource)) {
      throw new IllegalStateException(
          "the active transaction is not on the data source of the outbox (%s); name the transaction manager of that data source, as in @Transactional(\"orders\")"
              .formatted(dataSource));
    }
  }

  /** A transaction of this thread, and the suspended one around it. */
  private record Level(
      TransactionExecution transaction, boolean committing, @Nullable Level outer) {}

  private record AfterCommit(Runnable action) implements TransactionSynchronization {
    @Override
    public void afterCommit() {
      action.run();
    }
  }
}
