package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.EnqueueObserver;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.micrometer.OutboxMetrics;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.SendObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
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
  void a_listener_of_a_customizer_hears_beside_those_that_are_beans() {
    application
        .withUserConfiguration(Registry.class, Listening.class, ListensByCustomizer.class)
        .run(
            context -> {
              enqueue(context);
              await().untilAsserted(() -> assertThat(HEARD).contains("customized", "settled"));
              await()
                  .untilAsserted(
                      () -> assertThat(counter(context, "outbox.delivered")).isEqualTo(1));
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class ListensByCustomizer {
    @Bean
    OutboxCustomizer<Relay.Builder> listener() {
      return relay ->
          relay.listener(
              new RelayListener() {
                @Override
                public void settled(Settled settled) {
                  HEARD.add("customized");
                }
              });
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Traced {
    @Bean
    Traces traces() {
      return new Traces();
    }
  }

  private static final class Traces implements EnqueueObserver, SendObserver {
    @Override
    public void written(List<Envelope> envelopes) {
      HEARD.add("written");
    }

    @Override
    public Scope sending(List<Envelope> envelopes) {
      HEARD.add("sending");
      return () -> {};
    }
  }

  @Tag("boot-4")
  @Test
  void a_second_database_is_measured_apart_and_traced_as_the_first() {
    String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    Schema.builder(new DriverManagerDataSource(url, "sa", "")).create();
    application
        .withUserConfiguration(Registry.class, Traced.class, SeveralStoresTest.TwoDatabases.class)
        .withPropertyValues("reports.datasource.jdbc-url=" + url, "reports.datasource.username=sa")
        .run(
            context -> {
              context.getBean(SeveralStoresTest.Reports.class).write();
              assertThat(byOutbox(context, "outbox.enqueued")).isEqualTo(Map.of("reports", 1.0));
              await()
                  .untilAsserted(
                      () ->
                          assertThat(byOutbox(context, "outbox.delivered"))
                              .isEqualTo(Map.of("orders", 0.0, "reports", 1.0)));
              assertThat(HEARD).containsExactly("written", "sending");
              assertThat(
                      context
                          .getBean(MeterRegistry.class)
                          .get("outbox.relay.health")
                          .tags("outbox", "reports", "health", "up")
                          .gauge()
                          .value())
                  .isEqualTo(1);
            });
  }

  private static Map<String, Double> byOutbox(ApplicationContext context, String name) {
    return context.getBean(MeterRegistry.class).find(name).counters().stream()
        .collect(
            Collectors.groupingBy(
                each -> String.valueOf(each.getId().getTag("outbox")),
                Collectors.summingDouble(Counter::count)));
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
