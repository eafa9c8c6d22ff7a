package dev.outbox.spring.modulith;

import static dev.outbox.spring.modulith.Shop.publish;
import static dev.outbox.spring.modulith.Shop.sent;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextStartedEvent;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.RoutingTarget;

/** Events that extend Spring's own class: nothing carries them as a payload. */
class ExtendingEventsTest {
  private final ApplicationContextRunner application = Shop.application();

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
  void where_all_are_selected_Springs_without_a_transaction_are_none() {
    application
        .withUserConfiguration(Everything.class)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              AvailabilityChangeEvent.publish(context, LivenessState.CORRECT); // as each start
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

  @Test
  void one_of_Springs_that_is_selected_is_a_message_of_its_transaction() {
    application
        .withUserConfiguration(Started.class)
        .run(
            context -> {
              publish(context, new ContextStartedEvent(context.getSourceApplicationContext()));
              assertThat(sent(context))
                  .singleElement()
                  .satisfies(
                      envelope -> assertThat(envelope.payload().text()).isEqualTo("started"));
            });
  }

  static class Started {
    @Bean
    EventExternalizationConfiguration events() {
      return EventExternalizationConfiguration.externalizing()
          .select(event -> event instanceof ContextStartedEvent)
          .mapping(ContextStartedEvent.class, event -> "started")
          .routeAll(event -> RoutingTarget.forTarget("all").withoutKey())
          .build();
    }
  }
}
