package dev.outbox.spring.modulith;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.transaction.support.TransactionTemplate;

/** Events that extend Spring's own class: nothing carries them as a payload. */
class ExtendingEventsTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withUserConfiguration(Shop.class)
          .withPropertyValues(
              "spring.datasource.generate-unique-name=true",
              "spring.modulith.events.externalization.mode=outbox",
              "spring.autoconfigure.exclude="
                  + "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration",
              "outbox.relay.enabled=false");

  @SpringBootApplication
  static class Shop {}

  @Externalized("orders.closed::#{getId()}")
  public static final class OrderClosed extends ApplicationEvent {
    private static final long serialVersionUID = 1;

    private final String id;

    OrderClosed(String id) {
      super("shop");
      this.id = id;
    }

    public String getId() {
      return id;
    }
  }

  @Test
  void one_that_is_annotated_is_a_message() {
    application.run(
        context -> {
          publish(context, new OrderClosed("7"));

          assertThat(sent(context))
              .singleElement()
              .satisfies(
                  envelope -> {
                    assertThat(envelope.topic()).isEqualTo("orders.closed");
                    assertThat(envelope.key()).hasToString("7");
                    assertThat(envelope.payload().text()).contains("\"id\":\"7\"");
                  });
        });
  }

  @Test
  void an_application_that_selects_every_event_means_none_of_Springs() {
    application
        .withUserConfiguration(Everything.class)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              publish(context, new OrderClosed("7"));
              assertThat(sent(context)).hasSize(1);
            });
  }

  static class Everything {
    @Bean
    EventExternalizationConfiguration events() {
      return EventExternalizationConfiguration.externalizing()
          .select(event -> true)
          .routeAll(event -> RoutingTarget.forTarget("all").withoutKey())
          .build();
    }
  }

  private static void publish(ApplicationContext context, ApplicationEvent event) {
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(status -> context.publishEvent(event));
  }

  private static List<Envelope> sent(ApplicationContext context) {
    InMemoryBroker broker = InMemoryBroker.create();
    try (ManualRelay relay =
        ManualRelay.of(context.getBean(OutboxStore.class), broker.publisher())) {
      relay.drainNow();
    }
    return broker.messages().stream().map(arrival -> arrival.envelope()).toList();
  }
}
