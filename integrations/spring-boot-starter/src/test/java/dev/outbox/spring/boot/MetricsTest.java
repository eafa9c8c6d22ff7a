package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.message.EnqueueObserver;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.micrometer.OutboxMetrics;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

/** The outbox in the registry of the application, on H2 in memory. */
class MetricsTest {
  private static final List<String> HEARD = new CopyOnWriteArrayList<>();

  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withUserConfiguration(Application.class)
          .withPropertyValues(
              "spring.datasource.generate-unique-name=true",
              "management.simple.metrics.export.enabled=false");

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    Publisher broker() {
      return Publisher.blocking(envelope -> {});
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Registry {
    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Listening {
    @Bean
    RelayListener alarms() {
      return new RelayListener() {
        @Override
        public void settled(Settled settled) {
          HEARD.add("settled");
          throw new IllegalStateException("a listener that throws");
        }
      };
    }

    @Bean
    EnqueueObserver audit() {
      return new EnqueueObserver() {
        @Override
        public void written(List<Envelope> envelopes) {
          HEARD.add("written");
        }
      };
    }
  }

  @BeforeEach
  void nothingIsHeard() {
    HEARD.clear();
  }

  private static void enqueue(ApplicationContext context) {
    new TransactionTemplate(
            context.getBean(org.springframework.transaction.PlatformTransactionManager.class))
        .executeWithoutResult(
            status ->
                context.getBean(Outbox.Joined.class).enqueue(Message.to("orders").text("one")));
  }

  private static double counter(ApplicationContext context, String name) {
    return context.getBean(MeterRegistry.class).get(name).counter().count();
  }

  @Test
  void beside_a_registry_the_outbox_and_the_relay_are_measured() {
    application
        .withUserConfiguration(Registry.class)
        .run(
            context -> {
              enqueue(context);
              await()
                  .untilAsserted(
                      () -> assertThat(counter(context, "outbox.delivered")).isEqualTo(1));
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(counter(context, "outbox.enqueued")).isEqualTo(1);
              assertThat(
                      registry.get("outbox.delivery.delay").tag("topic", "orders").timer().count())
                  .isEqualTo(1);
              await()
                  .untilAsserted(
                      () -> {
                        assertThat(registry.get("outbox.lanes.owned").gauge().value())
                            .isEqualTo(32);
                        assertThat(registry.get("outbox.ready").gauge().value()).isZero();
                      });
            });
  }

  @Test
  void listeners_and_observers_of_the_application_hear_what_metrics_hear() {
    application
        .withUserConfiguration(Registry.class, Listening.class)
        .run(
            context -> {
              enqueue(context);
              await().untilAsserted(() -> assertThat(HEARD).contains("written", "settled"));
              await()
                  .untilAsserted(
                      () -> assertThat(counter(context, "outbox.delivered")).isEqualTo(1));
            });
  }

  @Test
  void when_it_is_turned_off_nothing_is_measured() {
    application
        .withUserConfiguration(Registry.class)
        .withPropertyValues("outbox.metrics.enabled=false")
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(OutboxMetrics.class));
  }

  @Test
  void properties_reach_the_metrics() {
    application
        .withUserConfiguration(Registry.class)
        .withPropertyValues("outbox.metrics.interval=10ms")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageStartingWith("interval is PT0.01S, the minimum is PT1S"));
  }
}
