package dev.outbox.spring.boot;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.console.OutboxConsole;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.micrometer.OutboxMetrics;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.SpringTransactions;
import dev.outbox.spring.boot.actuate.OutboxEndpoint;
import dev.outbox.testkit.InMemoryStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.ReflectionUtils;

/** An application with several stores, of which one is primary, or none. */
@ExtendWith(OutputCaptureExtension.class)
class SeveralStoresTest {
  private static final List<String> SENT = new CopyOnWriteArrayList<>();

  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withUserConfiguration(Application.class)
          .withPropertyValues(
              "spring.datasource.generate-unique-name=true",
              "management.endpoints.web.exposure.include=*");

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    Publisher broker() {
      return Publisher.blocking(envelope -> SENT.add(envelope.topic()));
    }

    @Bean
    SimpleMeterRegistry registry() {
      return new SimpleMeterRegistry();
    }
  }

  /** The application of docs/spring-boot.md. */
  @Configuration(proxyBeanMethods = false)
  @Import({ReportsDatabase.class, Orders.class, Reports.class})
  static class TwoDatabases {}

  static class Orders {
    private final Outbox.Joined outbox;

    Orders(Outbox.Joined outbox) {
      this.outbox = outbox;
    }

    @Transactional
    public void place() {
      outbox.enqueue(Message.to("orders").text("1"));
    }
  }

  static class Reports {
    private final Outbox.Joined outbox;

    Reports(@Qualifier("reports") Outbox.Joined outbox) {
      this.outbox = outbox;
    }

    @Transactional("reports")
    public void write() {
      outbox.enqueue(Message.to("reports").text("1"));
      AfterCommit.run(
          () ->
              assertThatIllegalStateException()
                  .isThrownBy(() -> outbox.enqueue(Message.to("reports").text("2")))
                  .withMessageStartingWith("the transaction has ended"));
    }
  }

  @Tag("boot-4")
  @Test
  void a_second_database_has_its_outbox_and_relay_beside_those_of_the_first() {
    String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    Schema.builder(new DriverManagerDataSource(url, "sa", "")).create();
    ApplicationContextRunner two =
        application
            .withUserConfiguration(TwoDatabases.class)
            .withPropertyValues(
                "reports.datasource.jdbc-url=" + url, "reports.datasource.username=sa");
    two.run(
        context -> {
          SENT.clear();
          assertThat(context).hasBean("relayLifecycle").hasSingleBean(OutboxEndpoint.class);
          context.getBean(Orders.class).place();
          context.getBean(Reports.class).write();
          await()
              .untilAsserted(() -> assertThat(SENT).containsExactlyInAnyOrder("orders", "reports"));
          Relay relay = context.getBean("reportsRelay", RelayLifecycle.class).relay().orElseThrow();
          assertThat(relay.name()).startsWith("reports-");
          assertHealthTellsOfBoth(context, relay);
        });
    two.withPropertyValues("outbox.relay.enabled=false")
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RelayLifecycle.class));
  }

  @Configuration(proxyBeanMethods = false)
  static class BrokerOfReports {
    @Bean(defaultCandidate = false)
    @Qualifier("reports")
    Publisher reportsBroker() {
      return Publisher.blocking(envelope -> SENT.add("elsewhere"));
    }
  }

  @Tag("boot-4")
  @Test
  void a_publisher_of_a_second_database_is_not_for_the_relay_of_the_first() {
    application
        .withUserConfiguration(BrokerOfReports.class)
        .withBean(Orders.class)
        .run(
            context -> {
              SENT.clear();
              context.getBean(Orders.class).place();
              await().untilAsserted(() -> assertThat(SENT).containsExactly("orders"));
            });
  }

  private static void assertHealthTellsOfBoth(ApplicationContext context, Relay second) {
    assertThat(health(context)).startsWith("UP ").containsOnlyOnce("reports-");
    second.close();
    assertThat(health(context))
        .startsWith("DOWN ")
        .contains(second.name() + "={health=DOWN", "={health=UP");
  }

  /** In words: Spring Boot 4 has moved the types. */
  static String health(ApplicationContext context) {
    Object indicator = context.getBean("outboxHealthIndicator");
    Method health = ReflectionUtils.findMethod(indicator.getClass(), "health");
    return String.valueOf(ReflectionUtils.invokeMethod(requireNonNull(health), indicator));
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoStores {
    @Bean
    InMemoryStore orders() {
      return InMemoryStore.create();
    }

    @Bean
    InMemoryStore reports() {
      return InMemoryStore.create();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OnePrimary {
    @Bean
    @Primary
    InMemoryStore orders() {
      return InMemoryStore.create();
    }

    @Bean
    InMemoryStore reports() {
      return InMemoryStore.create();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnRelays {
    @Bean
    RelayLifecycle ordersRelay(@Qualifier("orders") OutboxStore store, Publisher publisher) {
      return new RelayLifecycle(() -> Optional.of(Relay.builder(store, publisher)));
    }

    @Bean
    RelayLifecycle reportsRelay(@Qualifier("reports") OutboxStore store, Publisher publisher) {
      return new RelayLifecycle(() -> Optional.of(Relay.builder(store, publisher)));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnOutboxes {
    @Bean
    Outbox ordersOutbox(@Qualifier("orders") OutboxStore store) {
      return Outbox.create(store);
    }

    @Bean
    Outbox reportsOutbox(@Qualifier("reports") OutboxStore store) {
      return Outbox.create(store);
    }
  }

  @Test
  void several_outboxes_of_the_application_need_no_primary_one() {
    application
        .withUserConfiguration(TwoStores.class, OwnRelays.class, OwnOutboxes.class)
        .withBean(
            SpringTransactions.class,
            () -> SpringTransactions.of(new DriverManagerDataSource("jdbc:h2:mem:")))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Outbox.Joined.class));
  }

  @Test
  void of_several_stores_the_primary_one_has_what_the_starter_makes(CapturedOutput output) {
    application
        .withUserConfiguration(OnePrimary.class)
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(Outbox.class)
                    .hasSingleBean(RelayLifecycle.class)
                    .hasSingleBean(OutboxEndpoint.class)
                    .hasSingleBean(OutboxMetrics.class)
                    .hasBean("outboxHealthIndicator"));
    assertThat(output).doesNotContain("is primary: mark one as @Primary");
  }

  @Test
  void with_no_primary_store_the_relays_of_the_application_run_and_it_is_said_what_does_not(
      CapturedOutput output) {
    application
        .withUserConfiguration(TwoStores.class, OwnRelays.class)
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(Outbox.class)
                    .doesNotHaveBean(OutboxEndpoint.class)
                    .doesNotHaveBean(OutboxMetrics.class)
                    .hasBean("outboxHealthIndicator"));
    assertThat(output)
        .contains(
            "the starter makes no endpoint, no metrics, no console, because no store of [orders, reports] is primary: mark one as @Primary");
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnEndpoint {
    @Bean
    OutboxEndpoint endpoint(@Qualifier("orders") OutboxStore store) {
      return new OutboxEndpoint(store, null);
    }

    @Bean
    OutboxMetrics metrics(@Qualifier("orders") OutboxStore store) {
      return OutboxMetrics.create(store);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnConsole {
    @Bean
    OutboxConsole console(@Qualifier("orders") OutboxStore store) {
      return OutboxConsole.builder(store).users(request -> "ops").mount();
    }
  }

  @Test
  void what_the_application_makes_itself_is_not_said_to_be_missing(CapturedOutput output) {
    ApplicationContextRunner own =
        application.withUserConfiguration(TwoStores.class, OwnRelays.class, OwnEndpoint.class);
    own.run(context -> assertThat(context).hasNotFailed());
    assertThat(output).contains("the starter makes no console, because no store of [");
    int told = output.getAll().length();
    own.withUserConfiguration(OwnConsole.class)
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(OutboxConsole.class));
    assertThat(output.getAll().substring(told)).doesNotContain("because no store of [");
  }

  @Configuration(proxyBeanMethods = false)
  static class AnotherRelay {
    @Bean(defaultCandidate = false)
    RelayLifecycle reportsRelay(@Qualifier("reports") OutboxStore store, Publisher publisher) {
      return new RelayLifecycle(() -> Optional.of(Relay.builder(store, publisher)));
    }
  }

  @Test
  void a_relay_that_is_no_default_candidate_leaves_the_primary_store_its_own(
      CapturedOutput output) {
    application
        .withUserConfiguration(OnePrimary.class, AnotherRelay.class)
        .run(
            context ->
                assertThat(context.getBeansOfType(RelayLifecycle.class))
                    .containsOnlyKeys("reportsRelay", "relayLifecycle"));
    assertThat(output).doesNotContain("the starter makes no relay");
  }

  @Test
  void a_primary_store_beside_relays_of_the_application_has_an_endpoint_and_no_relay_of_the_starter(
      CapturedOutput output) {
    application
        .withUserConfiguration(OnePrimary.class, OwnRelays.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(OutboxMetrics.class);
              assertThat(context.getBean(OutboxEndpoint.class).report().relay()).isNull();
            });
    assertThat(output)
        .contains(
            "the starter makes no relay, because the application has [ordersRelay, reportsRelay]: if none of them is for the primary store of [orders, reports], mark them as @Bean(defaultCandidate = false)");
  }
}
