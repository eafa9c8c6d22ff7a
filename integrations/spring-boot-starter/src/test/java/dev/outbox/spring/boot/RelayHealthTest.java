package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Relay;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.InMemoryStore;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which relays health covers. */
class RelayHealthTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withUserConfiguration(Application.class)
          .withPropertyValues("spring.datasource.generate-unique-name=true", "outbox.broker=none");

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  @Configuration(proxyBeanMethods = false)
  static class OfTheParent {
    @Bean
    InMemoryStore store() {
      return InMemoryStore.create();
    }

    @Bean
    RelayLifecycle relay(InMemoryStore store) {
      return reports(store);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OfASecondDatabase {
    @Bean(defaultCandidate = false)
    RelayLifecycle reportsRelay() {
      return reports(InMemoryStore.create());
    }
  }

  private static RelayLifecycle reports(InMemoryStore store) {
    Publisher publisher = Publisher.blocking(envelope -> {});
    return new RelayLifecycle(() -> Optional.of(Relay.builder(store, publisher).name("reports")));
  }

  @Test
  void the_relay_of_a_parent_context() {
    new ApplicationContextRunner()
        .withUserConfiguration(OfTheParent.class)
        .run(
            parent ->
                application
                    .withParent(parent)
                    .run(
                        context -> {
                          assertThat(SeveralStoresTest.health(context)).contains("reports-");
                          parent.getBean(RelayLifecycle.class).relay().orElseThrow().close();
                          assertThat(SeveralStoresTest.health(context)).startsWith("DOWN ");
                        }));
  }

  @Tag("boot-4")
  @Test
  void the_relay_of_a_second_database_though_the_first_has_none_here() {
    application
        .withUserConfiguration(OfASecondDatabase.class)
        .withPropertyValues("outbox.relay.enabled=false")
        .run(context -> assertThat(SeveralStoresTest.health(context)).contains("reports-"));
  }

  @Test
  void none_where_none_is_declared() {
    application
        .withPropertyValues("outbox.relay.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("outboxHealthIndicator"));
  }
}
