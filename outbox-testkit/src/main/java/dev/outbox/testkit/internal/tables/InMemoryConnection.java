package dev.outbox.testkit.internal.tables;

import dev.outbox.StoreException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Connection} and the {@link DatabaseMetaData} of an in-memory store: what an
 * application transaction needs of them works, all else throws {@link
 * SQLFeatureNotSupportedException}.
 */
public final class InMemoryConnection implements InvocationHandler {
  static final String PRODUCT = "In-memory outbox";

  private final InMemoryTransaction transaction;

  private InMemoryConnection(InMemoryTransaction transaction) {
    this.transaction = transaction;
  }

  static Connection of(InMemoryTransaction transaction) {
    return proxy(Connection.class, new InMemoryConnection(transaction));
  }

  /** The transaction behind {@code connection}, also when a pool has wrapped it. */
  public static InMemoryTransaction transactionOf(
      Connection connection, InMemoryTables inMemoryTables) {
    try {
      InMemoryTransaction transaction = unwrap(connection);
      if (transaction.isLost()) {
        throw StoreException.passing("the connection was lost when the store went back", null);
      }
      if (transaction.inMemoryTables != inMemoryTables) {
        throw new IllegalArgumentException(
            "the connection is of another in-memory store; use one store for both");
      }
      if (transaction.isReadOnly()) {
        throw new IllegalArgumentException(
            "the connection is read-only; call setReadOnly(false) before the transaction");
      }
      return transaction;
    } catch (SQLException e) {
      throw new IllegalArgumentException("the connection does not answer", e);
    }
  }

  private static InMemoryTransaction unwrap(Connection connection) throws SQLException {
    if (connection.isClosed()) {
      throw new IllegalArgumentException(
          "the connection is closed; append within an open transaction");
    }
    if (!connection.isWrapperFor(InMemoryTransaction.class)) {
      throw new IllegalArgumentException(
          "the connection is a %s, not one of an in-memory store"
              .formatted(connection.getClass().getName()));
    }
    return connection.unwrap(InMemoryTransaction.class);
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws SQLException {
    Object argument = arguments == null ? "" : arguments[0];
    return switch (method.getName()) {
      case "equals" -> proxy == argument;
      case "hashCode" -> System.identityHashCode(transaction);
      case "toString" ->
          "InMemoryConnection@" + Integer.toHexString(System.identityHashCode(transaction));
      case "isClosed" -> transaction.isClosed();
      case "isValid" -> !transaction.isClosed() && !transaction.isLost();
      case "isWrapperFor" ->
          ((Class<?>) argument).isInstance(transaction) || ((Class<?>) argument).isInstance(proxy);
      case "unwrap" -> unwrap(proxy, (Class<?>) argument);
      case "getAutoCommit" -> transaction.autoCommit();
      case "isReadOnly" -> transaction.isReadOnly();
      case "getTransactionIsolation" -> transaction.isolation();
      case "getMetaData" -> metaData((Connection) proxy);
      case "setSavepoint" -> savepoint(method);
      default -> run(method, argument);
    };
  }

  private @Nullable Object run(Method method, Object argument) throws SQLException {
    switch (method.getName()) {
      case "setAutoCommit" -> transaction.setAutoCommit((Boolean) argument);
      case "setReadOnly" -> transaction.setReadOnly((Boolean) argument);
      case "setTransactionIsolation" -> transaction.setIsolation((Integer) argument);
      case "commit" -> transaction.commit();
      case "rollback" -> rollback(argument);
      case "releaseSavepoint" -> transaction.release((Savepoint) argument);
      case "clearWarnings" -> transaction.requireOpen();
      case "close", "abort" -> transaction.close();
      default -> throw notSupported(method);
    }
    return null;
  }

  private void rollback(Object argument) throws SQLException {
    if (argument instanceof Savepoint savepoint) {
      transaction.rollback(savepoint);
    } else {
      transaction.rollback();
    }
  }

  private Savepoint savepoint(Method method) throws SQLException {
    if (method.getParameterCount() > 0) {
      throw notSupported(method);
    }
    return transaction.setSavepoint();
  }

  private Object unwrap(Object proxy, Class<?> type) throws SQLException {
    if (type.isInstance(transaction)) {
      return transaction;
    }
    if (type.isInstance(proxy)) {
      return proxy;
    }
    throw new SQLException("an in-memory connection is no " + type.getName());
  }

  private DatabaseMetaData metaData(Connection connection) throws SQLException {
    transaction.requireOpen();
    return proxy(
        DatabaseMetaData.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "getDatabaseProductName", "toString" -> PRODUCT;
              case "getDatabaseProductVersion" -> "1";
              case "getURL" -> "in-memory";
              case "getConnection" -> connection;
              default -> throw notSupported(method);
            });
  }

  private static SQLFeatureNotSupportedException notSupported(Method method) {
    return new SQLFeatureNotSupportedException(
        "an in-memory connection has no "
            + method.getName()
            + "; it is there to commit or roll back messages");
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
