package dev.outbox.spring.boot.diagnostics;

import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.spi.OutboxStore;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Says why there is no outbox beside several data sources, or which of several is meant; Spring
 * Boot's analyzer does not.
 */
final class MissingOutboxAnalyzer implements FailureAnalyzer, Ordered {
  private static final Set<Class<?>> OURS =
      Set.of(Outbox.class, Outbox.Joined.class, OutboxStore.class, JdbcStore.class);
  private static final String PRIMARY =
      "Mark one as @Primary: the outbox, relay, endpoint, metrics and console of the starter are for that store. Make an outbox and a RelayLifecycle for each other one with @Bean(defaultCandidate = false), as docs/spring-boot.md shows; else they take the place of those.";

  private final @Nullable BeanFactory beans;
  private final @Nullable Environment environment;

  MissingOutboxAnalyzer(@Nullable BeanFactory beans, @Nullable Environment environment) {
    this.beans = beans;
    this.environment = environment;
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    if (!(beans instanceof ListableBeanFactory all)
        || environment == null
        || !environment.getProperty("outbox.enabled", boolean.class, true)) {
      return null;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof NoSuchBeanDefinitionException missing && isOurs(missing)) {
        return analysis(all, missing);
      }
    }
    return null;
  }

  private static @Nullable FailureAnalysis analysis(
      ListableBeanFactory beans, NoSuchBeanDefinitionException missing) {
    if (missing instanceof NoUniqueBeanDefinitionException several
        && several.getBeanNamesFound() != null) {
      return unclear(several.getBeanNamesFound(), several);
    }
    List<String> outboxes = defaultCandidates(beans, Outbox.class);
    if (missing.getBeanType() == Outbox.Joined.class && outboxes.size() > 1) {
      return unclear(outboxes, missing);
    }
    List<String> stores = names(beans, OutboxStore.class);
    if (stores.size() > 1 && names(beans, Outbox.class).isEmpty()) {
      return new FailureAnalysis(
          "There is no outbox, because it is not clear which store it is for: " + stores,
          PRIMARY,
          missing);
    }
    List<String> dataSources = names(beans, DataSource.class);
    if (stores.isEmpty() && dataSources.size() > 1) {
      return new FailureAnalysis(
          "There is no outbox, because it is not clear which data source has its tables: "
              + dataSources,
          "Mark the one with @OutboxDataSource, or as @Primary.",
          missing);
    }
    return null;
  }

  private static FailureAnalysis unclear(
      Collection<String> outboxes, NoSuchBeanDefinitionException missing) {
    return new FailureAnalysis(
        "It is not clear which outbox is meant: " + outboxes, PRIMARY, missing);
  }

  private static boolean isOurs(NoSuchBeanDefinitionException missing) {
    Class<?> type = missing.getBeanType();
    return type != null && OURS.contains(type);
  }

  /** Those that are meant where nothing says which. */
  static List<String> defaultCandidates(ListableBeanFactory beans, Class<?> type) {
    return names(beans, type).stream().filter(name -> isDefaultCandidate(beans, name)).toList();
  }

  private static boolean isDefaultCandidate(ListableBeanFactory beans, String name) {
    return !(beans instanceof ConfigurableListableBeanFactory all
            && all.containsBeanDefinition(name)
            && all.getBeanDefinition(name) instanceof AbstractBeanDefinition definition)
        || definition.isDefaultCandidate();
  }

  private static List<String> names(ListableBeanFactory beans, Class<?> type) {
    return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false));
  }
}
