package dev.outbox.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Relay;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.publish.SendObserver;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.boot.OutboxCustomizer;
import dev.outbox.spring.boot.OutboxProperties;
import dev.outbox.spring.boot.RelayLifecycle;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;

/** What is processed ahead of time asks no condition when it starts, as a native image. */
class AheadOfTimeTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    Publisher broker() {
      return Publisher.blocking(envelope -> {});
    }
  }

  @Test
  void one_image_delivers_in_one_process_and_only_writes_in_another() {
    ApplicationContextRunner application =
        new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues("spring.datasource.generate-unique-name=true");
    application
        .withPropertyValues("outbox.relay.enabled=false")
        .run(
            context -> {
              RelayLifecycle generated = lifecycle(context);
              generated.start();
              assertThat(generated.relay()).isEmpty();
            });
  }

  /** As the generated code calls it. */
  private static RelayLifecycle lifecycle(ApplicationContext context) {
    return new RelayAutoConfiguration()
        .relayLifecycle(
            context.getBean(OutboxStore.class),
            context.getBean(OutboxProperties.class),
            context.getEnvironment(),
            context,
            context.getBeanProvider(RelayListener.class),
            context.getBeanProvider(SendObserver.class),
            context.getBeanProvider(RetryPolicy.class),
            context.getBeanProvider(
                ResolvableType.forClassWithGenerics(OutboxCustomizer.class, Relay.Builder.class)));
  }
}
