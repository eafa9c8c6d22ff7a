package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.EnqueueObserver;
import dev.outbox.micrometer.OutboxObservations;
import dev.outbox.opentelemetry.OutboxTracing;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.propagation.Propagator;
import io.opentelemetry.api.OpenTelemetry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Who traces the outbox, on H2 in memory; {@code proof/boot} has a whole application. */
@Tag("boot-4")
class TracingTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withUserConfiguration(Application.class)
          .withPropertyValues("spring.datasource.generate-unique-name=true");

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    Publisher broker() {
      return Publisher.blocking(envelope -> {});
    }

    @Bean
    ObservationRegistry observations() {
      return ObservationRegistry.create();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Traced {
    @Bean
    Propagator propagator() {
      return Propagator.NOOP;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OpenTelemetryAlone {
    @Bean
    OutboxTracing tracing() {
      return OutboxTracing.create(OpenTelemetry.noop());
    }
  }

  @Test
  void beside_a_tracer_of_Micrometer_enqueues_and_sends_are_observed() {
    application
        .withUserConfiguration(Traced.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(OutboxObservations.class);
              assertThat(context.getBeansOfType(EnqueueObserver.class).values())
                  .contains(context.getBean(OutboxObservations.class));
              assertThat(context.getBeansOfType(SendObserver.class).values())
                  .contains(context.getBean(OutboxObservations.class));
            });
  }

  @Test
  void without_a_tracer_nothing_is_observed() {
    application.run(
        context -> assertThat(context).hasNotFailed().doesNotHaveBean(OutboxObservations.class));
  }

  @Test
  void a_bean_of_outbox_opentelemetry_traces_alone() {
    application
        .withUserConfiguration(Traced.class, OpenTelemetryAlone.class)
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(OutboxTracing.class)
                    .doesNotHaveBean(OutboxObservations.class));
  }

  @Test
  void when_it_is_turned_off_nothing_is_observed() {
    application
        .withUserConfiguration(Traced.class)
        .withPropertyValues("outbox.tracing.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(OutboxObservations.class));
  }
}
