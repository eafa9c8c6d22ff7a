package dev.outbox.spring.modulith;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.modulith.events.core.EventPublicationRegistry;

/**
 * Takes out the one bean of Spring Modulith that needs its registry of events, where there is none:
 * it watches for stale entries, and would refuse the start. The outbox needs no registry.
 */
final class MonitorRemoval implements BeanDefinitionRegistryPostProcessor {
  private static final String MONITOR =
      "org.springframework.modulith.events.config.StalenessMonitorConfiguration";

  @Override
  public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry definitions) {
    if (definitions.containsBeanDefinition(MONITOR)
        && definitions instanceof ListableBeanFactory beans
        && !hasRegistry(beans)) {
      definitions.removeBeanDefinition(MONITOR);
    }
  }

  private static boolean hasRegistry(ListableBeanFactory beans) {
    return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                beans, EventPublicationRegistry.class, true, false)
            .length
        > 0;
  }
}
