package dev.outbox.spring;

import dev.outbox.Transactions;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
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
 * silently. As a listener of each transaction manager it also knows that a transaction has
 * committed, and refuses what comes later, as in a {@code @TransactionalEventListener}; and it
 * knows a connection that was only read from, in a transaction of another data source, or of none.
 *
 * <p>Safe for use by many threads.
 */
public final class SpringTransactions implements Transactions, TransactionExecutionListener {
  /**
   * This thread's transactions by their connections; null where there are none. It has those of
   * every data source, whichever listener noted them, and the starter relies on that. Weak, because
   * no listener is told when a transaction without synchronization fails before its commit.
   */
  private static final ThreadLocal<@Nullable Map<ConnectionHolder, Begun>> BEGUN =
      new ThreadLocal<>();

  private final DataSource dataSource;
  private volatile boolean isListener;

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
    Begun begun = begun();
    if (begun == null) { // the transaction manager does not have this as a listener
      begun = new Begun(null);
      TransactionSynchronizationManager.registerSynchronization(begun);
    }
    begun.afterwards.add(action);
  }

  /** One manager may begin on the connection of another, as that of JDBC on that of JPA. */
  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
    if (failure == null) {
      isListener = true; // also where there is no JDBC: then what is read binds a connection too
      connection(transaction).ifPresent(SpringTransactions::add);
    }
  }

  private static void add(ConnectionHolder connection) {
    Map<ConnectionHolder, Begun> known = BEGUN.get();
    if (known == null) {
      known = new WeakHashMap<>();
      BEGUN.set(known);
    }
    known.compute(connection, (any, outer) -> registered(new Begun(outer)));
  }

  @Override
  public void beforeCommit(TransactionExecution transaction) {
    connection(transaction)
        .map(SpringTransactions::begun)
        .ifPresent(begun -> begun.isCommitting = true);
  }

  @Override
  public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
    end(transaction);
  }

  @Override
  public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
    end(transaction);
  }

  private static void end(TransactionExecution transaction) {
    connection(transaction)
        .ifPresent(
            connection ->
                forget(known -> known.computeIfPresent(connection, (any, inner) -> inner.outer)));
  }

  /** A thread of a pool keeps nothing of its last transaction. */
  private static void forget(Consumer<Map<ConnectionHolder, Begun>> ended) {
    Map<ConnectionHolder, Begun> known = BEGUN.get();
    if (known != null) {
      ended.accept(known);
      if (known.isEmpty()) {
        BEGUN.remove();
      }
    }
  }

  /** The connection of a whole transaction; none of a savepoint, or where there is no JDBC. */
  private static Optional<ConnectionHolder> connection(TransactionExecution transaction) {
    return transaction instanceof DefaultTransactionStatus status
            && status.isNewTransaction()
            && status.getTransaction() instanceof JdbcTransactionObjectSupport begun
            && begun.hasConnectionHolder()
        ? Optional.of(begun.getConnectionHolder())
        : Optional.empty();
  }

  private void requireTransaction() {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException(
          "no transaction is active; enqueue in a @Transactional method that is called from another"
              + " bean, or in TransactionTemplate.execute");
    }
    Begun begun = begun();
    if (!TransactionSynchronizationManager.isSynchronizationActive()
        || (begun != null && hasEnded(begun))) {
      throw new IllegalStateException(
          "the transaction has ended already; enqueue before it commits"
              + " (@TransactionalEventListener(phase = BEFORE_COMMIT) or @EventListener), or in a"
              + " new one (@Transactional(propagation = REQUIRES_NEW))");
    }
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw new IllegalStateException(
          "the transaction is read-only; enqueue in one that was begun with @Transactional(readOnly"
              + " = false)");
    }
    if (begun == null
        && (isListener || !TransactionSynchronizationManager.hasResource(dataSource))) {
      throw new IllegalStateException(
          "the active transaction is not on the data source of the outbox (%s), or its transaction manager does not have SpringTransactions as a listener; name the transaction manager of that data source, as in @Transactional(\"orders\")"
              .formatted(dataSource));
    }
  }

  /** The commit of JPA begins with its flush, and ends with calls of what listens to Hibernate. */
  private boolean hasEnded(Begun begun) {
    return begun.hasCommitted || (begun.isCommitting && !JpaTransaction.isActive(dataSource));
  }

  /** The transaction on this data source, if it began with a listener. */
  private @Nullable Begun begun() {
    Object bound = TransactionSynchronizationManager.getResource(dataSource);
    return bound instanceof ConnectionHolder connection ? begun(connection) : null;
  }

  private static @Nullable Begun begun(ConnectionHolder connection) {
    Map<ConnectionHolder, Begun> known = BEGUN.get();
    return known == null ? null : known.get(connection);
  }

  /** With the transaction that is beginning: one of another data source may be in it later. */
  private static Begun registered(Begun begun) {
    if (TransactionSynchronizationManager.isSynchronizationActive()) {
      TransactionSynchronizationManager.registerSynchronization(begun);
    }
    return begun;
  }

  /** A transaction, how far it is, and what is run once it has committed. */
  private static final class Begun implements TransactionSynchronization {
    private final List<Runnable> afterwards = new ArrayList<>();
    private final @Nullable Begun outer;
    private boolean isCommitting;
    private boolean hasCommitted;

    Begun(@Nullable Begun outer) {
      this.outer = outer;
    }

    /** What others do after the commit comes later, and is refused. */
    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterCommit() {
      hasCommitted = true;
      afterwards.forEach(Runnable::run);
    }

    /** Of a transaction that fails before its commit has begun no listener hears. */
    @Override
    public void afterCompletion(int status) {
      if (outer == null) {
        forget(known -> known.values().removeIf(each -> each.outermost() == this));
      }
    }

    private Begun outermost() {
      return outer == null ? this : outer.outermost();
    }
  }
}
