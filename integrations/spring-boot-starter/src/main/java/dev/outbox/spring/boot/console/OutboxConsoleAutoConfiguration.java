package dev.outbox.spring.boot.console;

import dev.outbox.console.OutboxConsole;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.boot.OutboxCustomizer;
import dev.outbox.spring.boot.OutboxProperties;
import dev.outbox.spring.boot.RelayLifecycle;
import dev.outbox.spring.boot.autoconfigure.ConditionalOnOutbox;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** The console under a path of the application, for the users that it has logged in. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(afterName = "dev.outbox.spring.boot.autoconfigure.OutboxAutoConfiguration")
@ConditionalOnClass({OutboxConsole.class, HttpRequestHandler.class, SimpleUrlHandlerMapping.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnOutbox
@ConditionalOnSingleCandidate(OutboxStore.class)
@ConditionalOnProperty(name = "outbox.console.enabled")
public class OutboxConsoleAutoConfiguration {
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  OutboxConsole outboxConsole(
      OutboxStore store,
      OutboxProperties properties,
      ObjectProvider<RelayLifecycle> relays,
      ObjectProvider<OutboxCustomizer<OutboxConsole.Builder>> customizers) {
    OutboxProperties.Console settings = properties.console();
    OutboxConsole.Builder console =
        OutboxConsole.builder(store)
            .users(ConsoleHandler::user)
            .relays(() -> relays.stream().flatMap(each -> each.relay().stream()).toList());
    if (settings.operate()) {
      console.operate();
    }
    if (settings.showPayloads()) {
      console.showPayloads();
    }
    customizers.orderedStream().forEach(each -> each.customize(console));
    return console.mount();
  }

  @Bean
  ConsoleHandler outboxConsoleHandler(
      OutboxConsole console, OutboxProperties properties, ApplicationContext context) {
    return new ConsoleHandler(console, properties.console().path(), context);
  }

  @Bean
  SimpleUrlHandlerMapping outboxConsoleMapping(ConsoleHandler handler) {
    Map<String, Object> paths = Map.of(handler.path(), handler, handler.path() + "/**", handler);
    return new SimpleUrlHandlerMapping(paths, Ordered.HIGHEST_PRECEDENCE + 100);
  }
}
