package dev.outbox.spring.boot;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.publish.Publisher;
import dev.outbox.spring.SpringTransactions;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The second database of docs/spring-boot.md, beside the one of {@code spring.datasource}. */
@Configuration
public class ReportsDatabase {
  @Bean(defaultCandidate = false)
  @Qualifier("reports")
  @ConfigurationProperties("reports.datasource")
  DataSource reportsDataSource() {
    return DataSourceBuilder.create().build();
  }

  @Bean(defaultCandidate = false)
  @Qualifier("reports")
  JdbcTransactionManager reportsTransactionManager(@Qualifier("reports") DataSource reports) {
    return new JdbcTransactionManager(reports);
  }

  @Bean(defaultCandidate = false)
  @Qualifier("reports")
  SpringTransactions reportsTransactions(@Qualifier("reports") DataSource reports) {
    return SpringTransactions.of(reports);
  }

  @Bean(defaultCandidate = false)
  @Qualifier("reports")
  JdbcStore reportsStore(@Qualifier("reports") DataSource reports) {
    return JdbcStore.create(reports);
  }

  @Bean(defaultCandidate = false)
  @Qualifier("reports")
  Outbox.Joined reportsOutbox(
      @Qualifier("reports") JdbcStore store,
      @Qualifier("reports") SpringTransactions transactions,
      OutboxSettings settings) {
    Outbox.Builder outbox = Outbox.builder(store);
    settings.applyTo(outbox);
    return outbox.build().join(transactions);
  }

  @Bean(defaultCandidate = false)
  @ConditionalOnProperty(name = "outbox.relay.enabled", matchIfMissing = true)
  RelayLifecycle reportsRelay(@Qualifier("reports") JdbcStore store, Publisher publisher) {
    return new RelayLifecycle(() -> Optional.of(Relay.builder(store, publisher).name("reports")));
  }
}
