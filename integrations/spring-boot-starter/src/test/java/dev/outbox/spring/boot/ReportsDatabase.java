package dev.outbox.spring.boot;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.micrometer.OutboxMetrics;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import dev.outbox.spring.SpringTransactions;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
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
      @Qualifier("reports") OutboxMetrics metrics,
      OutboxSettings settings) {
    Outbox.Builder outbox = Outbox.builder(store).observer(metrics);
    settings.applyTo(outbox, ReportsDatabase::isForAllStores);
    return outbox.build().join(transactions);
  }

  @Bean(defaultCandidate = false)
  @ConditionalOnProperty(name = "outbox.relay.enabled", matchIfMissing = true)
  RelayLifecycle reportsRelay(
      @Qualifier("reports") JdbcStore store,
      @Qualifier("reports") OutboxMetrics metrics,
      Publisher publisher,
      ObjectProvider<SendObserver> observers) {
    Publisher observed =
        observers.stream()
            .filter(ReportsDatabase::isForAllStores)
            .reduce(publisher.observed(metrics), Publisher::observed, (one, other) -> other);
    RelayLifecycle relay =
        new RelayLifecycle(
            () -> Optional.of(Relay.builder(store, observed).listener(metrics).name("reports")));
    metrics.watch(relay::relay);
    return relay;
  }

  /** Traces are; the metrics of the first store are not. */
  private static boolean isForAllStores(Object observer) {
    return !(observer instanceof OutboxMetrics);
  }

  @Bean(defaultCandidate = false)
  @Qualifier("reports")
  OutboxMetrics reportsMetrics(@Qualifier("reports") JdbcStore store, MeterRegistry registry) {
    OutboxMetrics metrics = OutboxMetrics.builder(store).tag("outbox", "reports").build();
    metrics.bindTo(registry);
    return metrics;
  }

  /** Prometheus takes no metrics of one name of which only some have the tag. */
  @Bean
  OutboxCustomizer<OutboxMetrics.Builder> tagOfFirstStore() {
    return metrics -> metrics.tag("outbox", "orders");
  }
}
