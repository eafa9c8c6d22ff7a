package dev.outbox.spring.boot.diagnostics;

import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.boot.RelayLifecycle;
import dev.outbox.spring.boot.autoconfigure.ConditionalOnOutbox;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.core.Ordered;

/**
 * Logs that the starter makes no relay beside several stores, because the application has made
 * some: if they are for other stores, nothing moves the messages of the primary one.
 */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(afterName = "dev.outbox.spring.boot.autoconfigure.RelayAutoConfiguration")
@ConditionalOnOutbox
@ConditionalOnProperty(name = "outbox.relay.enabled", matchIfMissing = true)
@ConditionalOnSingleCandidate(OutboxStore.class)
@ConditionalOnMissingBean(name = "relayLifecycle")
public class OwnRelaysAutoConfiguration implements SmartInitializingSingleton {
  private static final Logger log = LoggerFactory.getLogger(OwnRelaysAutoConfiguration.class);

  private final ListableBeanFactory beans;

  OwnRelaysAutoConfiguration(ListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public void afterSingletonsInstantiated() {
    List<String> stores = names(OutboxStore.class);
    if (stores.size() > 1) {
      log.info(
          "the starter makes no relay, because the application has {}: if none of them is for the primary store of {}, mark them as @Bean(defaultCandidate = false)",
          names(RelayLifecycle.class),
          stores);
    }
  }

  private List<String> names(Class<?> type) {
    return List.of(beans.getBeanNamesForType(type, true, false));
  }
}
