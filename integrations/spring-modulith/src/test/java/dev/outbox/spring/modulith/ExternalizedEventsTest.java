package dev.outbox.spring.modulith;

import static dev.outbox.spring.modulith.Shop.publish;
import static dev.outbox.spring.modulith.Shop.sent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.outbox.Outbox;
import dev.outbox.testkit.InMemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.transaction.support.TransactionTemplate;

class ExternalizedEventsTest {
  private final ApplicationContextRunner application = Shop.application();

  @Externalized("orders.placed::#{id()}")
  record OrderPlaced(String id, int cents) {}

  record Internal(String id) {}

  private static final class TurnedBackException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void an_annotated_event_is_a_message_when_its_transaction_commits() {
    application.run(
        context -> {
          publish(context, new OrderPlaced("7", 1999));
          publish(context, new Internal("8"));

          assertThat(sent(context))
              .singleElement()
              .satisfies(
                  envelope -> {
                    assertThat(envelope.topic()).isEqualTo("orders.placed");
                    assertThat(envelope.key()).hasToString("7");
                    assertThat(envelope.payload().text())
                        .isEqualTo("{\"id\":\"7\",\"cents\":1999}");
                  });
        });
  }

  @Externalized("#{@tenants.topic(#root)}::#{@tenants.key(#root)}")
  record OfTenant(String tenant, String id) {}

  @Externalized("#{'orders.' + kind()}")
  record OfKind(String kind) {}

  static class Tenants {
    public String topic(OfTenant event) {
      return "orders." + event.tenant();
    }

    public String key(OfTenant event) {
      return event.tenant() + "/" + event.id();
    }
  }

  @Test
  void expressions_of_target_and_key_may_ask_beans() {
    application
        .withBean("tenants", Tenants.class)
        .run(
            context -> {
              publish(context, new OfTenant("acme", "7"));
              assertThat(sent(context))
                  .singleElement()
                  .satisfies(
                      envelope -> {
                        assertThat(envelope.topic()).isEqualTo("orders.acme");
                        assertThat(envelope.key()).hasToString("acme/7");
                      });
            });
  }

  @Test
  void a_target_by_expression_without_a_key_has_none() {
    application.run(
        context -> {
          publish(context, new OfKind("late"));
          assertThat(sent(context))
              .singleElement()
              .satisfies(
                  envelope -> {
                    assertThat(envelope.topic()).isEqualTo("orders.late");
                    assertThat(envelope.key()).isNull();
                  });
        });
  }

  @Test
  void bytes_that_an_event_is_mapped_to_are_the_payload() {
    application
        .withUserConfiguration(MappedToBytes.class)
        .run(
            context -> {
              publish(context, new Internal("8"));
              assertThat(sent(context))
                  .singleElement()
                  .satisfies(
                      envelope ->
                          assertThat(envelope.payload().bytes())
                              .isEqualTo("8".getBytes(StandardCharsets.UTF_8)));
            });
  }

  static class MappedToBytes {
    @Bean
    EventExternalizationConfiguration events() {
      return EventExternalizationConfiguration.externalizing()
          .select(event -> event instanceof Internal)
          .mapping(Internal.class, event -> event.id().getBytes(StandardCharsets.UTF_8))
          .routeAll(event -> RoutingTarget.forTarget("internal").withoutKey())
          .build();
    }
  }

  @Test
  void a_message_of_Spring_that_an_event_is_mapped_to_is_its_payload_and_headers() {
    application
        .withUserConfiguration(MappedToMessage.class)
        .run(
            context -> {
              publish(context, new OrderPlaced("7", 1999));
              assertThat(sent(context))
                  .singleElement()
                  .satisfies(
                      envelope -> {
                        assertThat(envelope.payload().text())
                            .isEqualTo("{\"id\":\"7\",\"cents\":1999}");
                        assertThat(envelope.headers())
                            .isEqualTo(Map.of("tenant", "acme", "version", "2", "trace", "a1"));
                      });
            });
  }

  static class MappedToMessage {
    @Bean
    EventExternalizationConfiguration events() {
      return EventExternalizationConfiguration.externalizing()
          .select(event -> event instanceof OrderPlaced)
          .mapping(
              OrderPlaced.class,
              event ->
                  MessageBuilder.withPayload(event)
                      .setHeader("version", 1)
                      .setHeader("trace", "a1".getBytes(StandardCharsets.UTF_8))
                      .build())
          .headers(OrderPlaced.class, event -> Map.of("tenant", "acme", "version", 2))
          .routeAll(event -> RoutingTarget.forTarget("orders").withoutKey())
          .build();
    }
  }

  @Test
  void between_several_outboxes_the_refusal_says_to_mark_one() {
    application
        .withBean("first", Outbox.class, () -> Outbox.create(InMemoryStore.create()))
        .withBean("second", Outbox.class, () -> Outbox.create(InMemoryStore.create()))
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("of several Outbox beans mark one as @Primary"));
  }

  /** Spring Modulith sends nothing in this mode. */
  @Test
  void without_an_outbox_the_start_is_refused_because_events_would_go_nowhere() {
    application
        .withUserConfiguration(TwoDataSources.class)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("there is no Outbox.Joined")
                    .hasMessageContaining("@OutboxDataSource"));
    application
        .withPropertyValues("outbox.enabled=false")
        .run(context -> assertThat(context).hasNotFailed());
  }

  static class TwoDataSources {
    @Bean
    DataSource orders() {
      return new JdbcDataSource();
    }

    @Bean
    DataSource reports() {
      return new JdbcDataSource();
    }
  }

  @Test
  void an_event_of_a_transaction_that_rolls_back_is_none() {
    application.run(
        context -> {
          assertThatExceptionOfType(TurnedBackException.class)
              .isThrownBy(
                  () ->
                      context
                          .getBean(TransactionTemplate.class)
                          .executeWithoutResult(
                              status -> {
                                context.publishEvent(new OrderPlaced("7", 1999));
                                throw new TurnedBackException();
                              }));
          assertThat(sent(context)).isEmpty();
        });
  }

  @Test
  void without_a_transaction_the_one_who_publishes_is_refused() {
    application.run(
        context ->
            assertThatIllegalStateException()
                .isThrownBy(() -> context.publishEvent(new OrderPlaced("7", 1999)))
                .withMessageStartingWith("no transaction is active"));
  }

  @Test
  void in_another_mode_Modulith_refuses_the_start_without_a_registry_as_it_does_alone() {
    application
        .withPropertyValues("spring.modulith.events.externalization.mode=module-listener")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining(EventPublicationRegistry.class.getName()));
  }

  @Test
  void without_the_property_an_event_is_no_message() {
    application
        .withPropertyValues(
            "spring.modulith.events.externalization.mode=module-listener",
            "spring.autoconfigure.exclude="
                + "org.springframework.modulith.events.config.EventPublicationAutoConfiguration,"
                + "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration")
        .run(
            context -> {
              publish(context, new OrderPlaced("7", 1999));
              assertThat(sent(context)).isEmpty();
            });
  }

  @Test
  void what_the_application_configures_of_events_holds() {
    application
        .withUserConfiguration(Mapped.class)
        .run(
            context -> {
              publish(context, new Internal("8"));
              assertThat(sent(context))
                  .singleElement()
                  .satisfies(
                      envelope -> {
                        assertThat(envelope.topic()).isEqualTo("internal");
                        assertThat(envelope.headers()).containsEntry("tenant", "acme");
                        assertThat(envelope.payload().text()).isEqualTo("text of 8");
                      });
            });
  }

  static class Mapped {
    @Bean
    EventExternalizationConfiguration events() {
      return EventExternalizationConfiguration.externalizing()
          .select(event -> event instanceof Internal)
          .mapping(Internal.class, event -> "text of " + event.id())
          .headers(Internal.class, event -> Map.of("tenant", "acme"))
          .routeAll(event -> RoutingTarget.forTarget("internal").withoutKey())
          .build();
    }
  }
}
