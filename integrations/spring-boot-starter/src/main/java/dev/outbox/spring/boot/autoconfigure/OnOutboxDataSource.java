package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.spring.boot.OutboxDataSource;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;

/** It is clear which data source has the tables. */
final class OnOutboxDataSource extends AnyNestedCondition {
  OnOutboxDataSource() {
    super(ConfigurationPhase.REGISTER_BEAN);
  }

  @ConditionalOnSingleCandidate(DataSource.class)
  static class Single {}

  @ConditionalOnBean(value = DataSource.class, annotation = OutboxDataSource.class)
  static class Marked {}
}
