package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.spi.OutboxStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.core.Ordered;

/** Says so where a console is asked for and cannot be there. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(
    afterName = "dev.outbox.spring.boot.console.OutboxConsoleAutoConfiguration",
    after = OutboxAutoConfiguration.class)
@ConditionalOnProperty(name = "outbox.console.enabled")
@ConditionalOnOutbox
@ConditionalOnSingleCandidate(OutboxStore.class)
@ConditionalOnMissingBean(type = "dev.outbox.spring.boot.console.ConsoleHandler")
public class MissingConsoleAutoConfiguration implements SmartInitializingSingleton {
  private static final Logger log = LoggerFactory.getLogger(MissingConsoleAutoConfiguration.class);

  @Override
  public void afterSingletonsInstantiated() {
    log.warn(
        "no console runs here, although outbox.console.enabled is true: add outbox-console, in an application with Spring MVC; in any other, as with WebFlux, start one with OutboxConsole.builder(store).start()");
  }
}
