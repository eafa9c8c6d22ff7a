package dev.outbox.examples.docs;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.publish.Publisher;
import java.sql.Connection;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The beans of docs/transactions.md. */
@Configuration
class SpringOutbox {
  @Bean
  JdbcStore outboxStore(DataSource dataSource) {
    return JdbcStore.create(dataSource);
  }

  @Bean
  Outbox outbox(JdbcStore store) {
    return Outbox.create(store);
  }

  @Bean
  Relay relay(JdbcStore store, Publisher publisher) { // Spring closes it before the pool
    return Relay.builder(store, publisher).start();
  }

  @Bean
  Outbox.Joined joinedOutbox(Outbox outbox, JdbcTemplate jdbc) {
    return outbox.join(
        Transactions.of(
            work -> {
              if (!TransactionSynchronizationManager.isActualTransactionActive()) {
                throw new IllegalStateException("no transaction; call it from @Transactional");
              }
              jdbc.execute((Connection connection) -> accepted(work, connection));
            },
            action ->
                TransactionSynchronizationManager.registerSynchronization(
                    new TransactionSynchronization() {
                      @Override
                      public void afterCommit() {
                        action.run();
                      }
                    })));
  }

  private static boolean accepted(Consumer<Connection> work, Connection connection) {
    work.accept(connection);
    return true;
  }
}
