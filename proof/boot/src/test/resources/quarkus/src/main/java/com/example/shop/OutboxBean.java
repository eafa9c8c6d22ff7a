package com.example.shop;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbcStore;
import io.agroal.api.AgroalDataSource;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

class OutboxBean {
  @Produces
  @Singleton
  Outbox.Joined outbox(AgroalDataSource dataSource, TransactionSynchronizationRegistry registry) {
    JdbcStore store = // also where the first use is in a transaction
        QuarkusTransaction.suspendingExisting().call(() -> JdbcStore.create(dataSource));
    return Outbox.create(store)
        .join(
            Transactions.of(
                work -> lend(dataSource, work),
                action -> registry.registerInterposedSynchronization(new AfterCommit(action))));
  }

  private static void lend(AgroalDataSource dataSource, Consumer<Connection> work) {
    try (Connection connection = dataSource.getConnection()) { // that of the transaction
      work.accept(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  record AfterCommit(Runnable action) implements Synchronization {
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
