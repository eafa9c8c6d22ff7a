package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.Relay;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.publish.SendObserver;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.Usage;
import dev.outbox.spring.boot.OutboxCustomizer;
import dev.outbox.spring.boot.OutboxProperties;
import dev.outbox.spring.boot.RelayLifecycle;
import dev.outbox.spring.boot.relay.ExaminedStore;
import dev.outbox.spring.boot.relay.Publishers;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** A running relay beside a publisher. */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(
    after = {
      OutboxAutoConfiguration.class,
      KafkaPublisherAutoConfiguration.class,
      RabbitPublisherAutoConfiguration.class
    })
@ConditionalOnOutbox
@ConditionalOnProperty(name = "outbox.relay.enabled", matchIfMissing = true)
public class RelayAutoConfiguration {
  private static final Logger log = LoggerFactory.getLogger(RelayAutoConfiguration.class);
  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

  @Bean
  @ConditionalOnMissingBean
  RelayLifecycle relayLifecycle(
      OutboxStore store,
      OutboxProperties properties,
      Environment environment,
      ListableBeanFactory beans,
      ObjectProvider<RelayListener> listeners,
      ObjectProvider<SendObserver> observers,
      ObjectProvider<RetryPolicy> retry,
      ObjectProvider<OutboxCustomizer<Relay.Builder>> customizers) {
    if (!properties.relay().enabled()) { // what is generated ahead of time asks no condition
      return new RelayLifecycle(Optional::empty);
    }
    Optional<Publisher> publisher = Publishers.of(beans);
    if (publisher.isEmpty()) {
      log.warn(
          "no relay runs here, because there is no Publisher bean. Declare one, or add outbox-kafka or outbox-rabbitmq beside one client bean of Spring Boot; outbox-kafka also works with outbox.kafka.bootstrap-servers alone. If this process only writes, set outbox.relay.enabled=false");
      return new RelayLifecycle(Optional::empty);
    }
    Publisher to = publisher.get();
    Usage usage = StarterSettings.usage(store.layout().claiming(), properties.relay());
    OutboxStore examined = ExaminedStore.begin(store, usage);
    return new RelayLifecycle(
        () -> {
          Relay.Builder builder =
              StarterSettings.of(
                  Relay.builder(examined, observed(to, observers)), properties.relay());
          if (properties.relay().publishThreads() == null && hasVirtualThreads(environment)) {
            builder.virtualThreads();
          }
          listeners.orderedStream().forEach(builder::listener);
          retry.ifAvailable(builder::retry);
          customizers.orderedStream().forEach(each -> each.customize(builder));
          return Optional.of(builder);
        });
  }

  private static Publisher observed(Publisher publisher, ObjectProvider<SendObserver> observers) {
    return observers.orderedStream().reduce(publisher, Publisher::observed, (one, other) -> other);
  }

  /** A relay runs although no other bean needs it. */
  @Bean
  static LazyInitializationExcludeFilter relayIsNotLazy() {
    return LazyInitializationExcludeFilter.forBeanTypes(RelayLifecycle.class);
  }

  private static boolean hasVirtualThreads(Environment environment) {
    return environment.getProperty("spring.threads.virtual.enabled", boolean.class, false)
        && Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS;
  }
}
