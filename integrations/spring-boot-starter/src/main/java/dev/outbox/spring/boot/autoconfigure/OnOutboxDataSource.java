package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.spring.boot.OutboxDataSource;
import java.util.Arrays;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** It is clear which data source has the tables. */
final class OnOutboxDataSource extends AnyNestedCondition {
  OnOutboxDataSource() {
    super(ConfigurationPhase.REGISTER_BEAN);
  }

  @ConditionalOnSingleCandidate(DataSource.class)
  static class Single {}

  @Conditional(IsMarked.class)
  static class Marked {}

  /** {@code ConditionalOnBean} would look for the annotation on every bean there is. */
  static final class IsMarked implements ConfigurationCondition {
    @Override
    public ConfigurationPhase getConfigurationPhase() {
      return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      ListableBeanFactory beans = Objects.requireNonNull(context.getBeanFactory());
      return Arrays.stream(
              BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                  beans, DataSource.class, true, false))
          .anyMatch(name -> beans.findAnnotationOnBean(name, OutboxDataSource.class) != null);
    }
  }
}
