package dev.outbox.spring;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.publish.Publisher;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** The beans of docs/transactions.md; {@code SpringPageTest} runs them. */
@Configuration
@EnableTransactionManagement
class OutboxConfiguration {
  @Bean
  JdbcTransactionManager transactionManager(DataSource dataSource) {
    return new JdbcTransactionManager(dataSource); // or your JpaTransactionManager
  }

  @Bean
  JdbcStore store(DataSource dataSource) {
    Schema.builder(dataSource).create();
    return JdbcStore.create(dataSource);
  }

  @Bean
  Outbox.Joined outbox(
      DataSource dataSource, JdbcTransactionManager transactionManager, JdbcStore store) {
    SpringTransactions transactions = SpringTransactions.of(dataSource);
    transactionManager.addListener(transactions);
    return Outbox.create(store).join(transactions);
  }

  @Bean(destroyMethod = "close")
  Relay relay(JdbcStore store, Publisher publisher) {
    return Relay.builder(store, publisher).start();
  }
}
