package dev.outbox.spring.boot.diagnostics;

import dev.outbox.message.MessageLimits;
import dev.outbox.message.PayloadCodec;
import dev.outbox.publish.RetryPolicy;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/**
 * Says of what there are several beans; Spring Boot's analyzer would name the bean that takes the
 * outbox.
 */
final class SeveralBeansAnalyzer extends AbstractFailureAnalyzer<NoUniqueBeanDefinitionException>
    implements Ordered {
  private static final String CUSTOMIZED =
      " What only a customizer takes, declare with @Bean(defaultCandidate = false).";

  private static final Map<Class<?>, String> REMEDIES =
      Map.of(
          PayloadCodec.class,
          "Mark one as @Primary." + CUSTOMIZED,
          MessageLimits.class,
          "Mark one as @Primary. For both, it is a bean that joins them with MessageLimits.and."
              + CUSTOMIZED,
          RetryPolicy.class,
          "Mark one as @Primary. A topic gets its own by an OutboxCustomizer<Relay.Builder>."
              + CUSTOMIZED);

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable failure, NoUniqueBeanDefinitionException several) {
    Class<?> type = several.getBeanType();
    Collection<String> names = several.getBeanNamesFound();
    String remedy = type == null ? null : REMEDIES.get(type);
    return type == null || names == null || remedy == null
        ? null
        : new FailureAnalysis(
            "It is not clear which %s the outbox takes: %s".formatted(type.getSimpleName(), names),
            remedy,
            several);
  }
}
