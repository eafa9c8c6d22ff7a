package com.example.shop;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbcStore;
import io.micronaut.context.annotation.Factory;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.support.TransactionSynchronization;
import jakarta.inject.Singleton;
import java.sql.Connection;
import javax.sql.DataSource;

@Factory
class OutboxBean {
  @Singleton
  Outbox.Joined outbox(DataSource dataSource, TransactionOperations<Connection> transactions) {
    return Outbox.create(JdbcStore.create(DelegatingDataSource.unwrapDataSource(dataSource)))
        .join(
            Transactions.of(
                work -> work.accept(transactions.getConnection()),
                action ->
                    transactions
                        .findTransactionStatus()
                        .orElseThrow()
                        .registerSynchronization(new AfterCommit(action))));
  }

  record AfterCommit(Runnable action) implements TransactionSynchronization {
    @Override
    public void afterCommit() {
      action.run();
    }
  }
}
