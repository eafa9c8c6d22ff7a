package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.spring.boot.OutboxDataSource;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
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

  @Conditional(OnMark.class)
  static class Marked {}

  /** Looks at data sources only; {@code ConditionalOnBean} looks for an annotation at all beans. */
  static final class OnMark extends SpringBootCondition implements ConfigurationCondition {
    @Override
    public ConfigurationPhase getConfigurationPhase() {
      return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      return new ConditionOutcome(isAnyMarked(context.getBeanFactory()), "@OutboxDataSource");
    }

    /** A parent's bean is seen by the factory that has it. */
    private static boolean isAnyMarked(@Nullable BeanFactory beans) {
      return beans instanceof ListableBeanFactory own
              && Stream.of(own.getBeanNamesForType(DataSource.class, true, false))
                  .anyMatch(
                      name -> own.findAnnotationOnBean(name, OutboxDataSource.class, false) != null)
          || beans instanceof HierarchicalBeanFactory child
              && isAnyMarked(child.getParentBeanFactory());
    }
  }
}
