package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.OutboxException.Finding;
import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import dev.outbox.message.Message;
import dev.outbox.message.MessageLimits;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.InMemoryStore;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.transaction.support.TransactionTemplate;

/** The relay beside a publisher, on H2 in memory. */
@ExtendWith(OutputCaptureExtension.class)
class RelayBeansTest {
  private static final List<String> SENT = new CopyOnWriteArrayList<>();

  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withUserConfiguration(Application.class)
          .withPropertyValues("spring.datasource.generate-unique-name=true");

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  @Configuration(proxyBeanMethods = false)
  static class OnePublisher {
    @Bean
    Publisher broker() {
      return to("broker");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class ByTopic {
    @Bean
    @OutboxPublisher({"mails", "letters"})
    Publisher post() {
      return to("post");
    }

    @Bean
    @OutboxPublisher("orders")
    Publisher shop() {
      return to("shop");
    }
  }

  @BeforeEach
  void nothingIsSent() {
    SENT.clear();
  }

  @Test
  void beside_a_publisher_a_relay_runs_until_the_context_is_closed() {
    AtomicReference<Relay> relay = new AtomicReference<>();
    application
        .withUserConfiguration(OnePublisher.class)
        .run(
            context -> {
              relay.set(context.getBean(RelayLifecycle.class).relay().orElseThrow());
              enqueue(context, "orders");
              await().untilAsserted(() -> assertThat(SENT).containsExactly("broker orders"));
            });
    assertThat(relay.get().health()).isEqualTo(RelayStatus.Health.DOWN);
    await().untilAsserted(() -> assertThat(relayThreads()).isEmpty());
  }

  @Test
  void a_start_examines_the_database_once_and_again_where_the_early_look_forbade_it() {
    assertThat(examinations(List.of())).isEqualTo(1);
    Finding failure = new Finding(Finding.Severity.FAILURE, "early", "not yet");
    assertThat(examinations(List.of(failure))).isEqualTo(2);
    Finding warning = new Finding(Finding.Severity.WARNING, "early", "slow");
    assertThat(examinations(List.of(warning))).isEqualTo(1);
  }

  /** How often a store was asked of which the first look finds that. */
  private int examinations(List<Finding> first) {
    AtomicInteger looks = new AtomicInteger();
    OutboxStore store = InMemoryStore.create();
    Object counting =
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) ->
                method.getName().equals("examine") && looks.incrementAndGet() == 1
                    ? first
                    : method.invoke(store, arguments));
    application
        .withUserConfiguration(OnePublisher.class)
        .withBean(OutboxStore.class, () -> (OutboxStore) counting)
        .run(context -> assertThat(context.getBean(RelayLifecycle.class).isRunning()).isTrue());
    return looks.get();
  }

  @Test
  void relays_end_with_a_context_that_fails_after_they_have_started() {
    application
        .withUserConfiguration(OnePublisher.class, AnotherRelay.class, FailsAtLast.class)
        .run(context -> assertThat(context).getFailure().hasMessage("at last"));
    await().untilAsserted(() -> assertThat(relayThreads()).isEmpty());
  }

  /** As that of the second database in docs/spring-boot.md. */
  @Configuration(proxyBeanMethods = false)
  static class AnotherRelay {
    @Bean(defaultCandidate = false)
    RelayLifecycle anotherRelay(Publisher publisher) {
      OutboxStore store = InMemoryStore.create();
      return new RelayLifecycle(() -> Optional.of(Relay.builder(store, publisher)));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class FailsAtLast {
    @Bean
    ApplicationListener<ContextRefreshedEvent> failing() {
      return event -> {
        throw new IllegalStateException("at last");
      };
    }
  }

  @Test
  void a_publisher_behind_a_scoped_proxy_is_one() {
    application
        .withUserConfiguration(ScopedPublisher.class)
        .run(
            context -> {
              enqueue(context, "orders");
              await().untilAsserted(() -> assertThat(SENT).containsExactly("scoped orders"));
            });
  }

  /** As by {@code @RefreshScope}. */
  @Configuration(proxyBeanMethods = false)
  static class ScopedPublisher {
    @Bean
    @Scope(proxyMode = ScopedProxyMode.INTERFACES)
    Publisher broker() {
      return to("scoped");
    }
  }

  @Test
  void publishers_of_a_parent_context_count_with_their_topics() {
    new ApplicationContextRunner()
        .withUserConfiguration(ByTopic.class)
        .run(
            parent ->
                application
                    .withParent(parent)
                    .run(
                        context -> {
                          enqueue(context, "orders");
                          await()
                              .untilAsserted(() -> assertThat(SENT).containsExactly("shop orders"));
                        }));
  }

  @Test
  void each_topic_goes_to_the_publisher_that_is_marked_with_it() {
    application
        .withUserConfiguration(ByTopic.class)
        .run(
            context -> {
              enqueue(context, "mails");
              enqueue(context, "orders");
              enqueue(context, "letters");
              await()
                  .untilAsserted(
                      () ->
                          assertThat(SENT)
                              .containsExactlyInAnyOrder(
                                  "post mails", "shop orders", "post letters"));
            });
  }

  @Test
  void a_publisher_without_topics_beside_others_is_refused_by_name() {
    application
        .withUserConfiguration(OnePublisher.class, ByTopic.class)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("say which topics [broker] is for"));
  }

  @Test
  void without_a_publisher_it_is_said_that_no_relay_runs(CapturedOutput output) {
    application
        .withPropertyValues("outbox.broker=none")
        .run(
            context -> {
              assertThat(context.getBean(RelayLifecycle.class).relay()).isEmpty();
              assertThat(output).contains("no relay runs here, because there is no Publisher bean");
            });
  }

  @Test
  void a_process_that_only_writes_has_no_relay(CapturedOutput output) {
    application
        .withUserConfiguration(OnePublisher.class)
        .withPropertyValues("outbox.relay.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(RelayLifecycle.class));
    assertThat(output).doesNotContain("no relay runs here");
  }

  @Test
  void a_relay_runs_in_a_context_whose_beans_are_lazy() {
    application
        .withUserConfiguration(OnePublisher.class)
        .withInitializer(
            context ->
                context.addBeanFactoryPostProcessor(
                    new LazyInitializationBeanFactoryPostProcessor()))
        .run(context -> assertThat(context.getBean(RelayLifecycle.class).isRunning()).isTrue());
  }

  @Test
  void properties_arrive_and_a_customizer_has_the_last_word() {
    application
        .withUserConfiguration(OnePublisher.class)
        .withPropertyValues("outbox.relay.name=first", "outbox.relay.lease=9s")
        .run(
            context ->
                assertThat(context.getBean(RelayLifecycle.class).relay().orElseThrow().name())
                    .startsWith("first"));
    application
        .withUserConfiguration(OnePublisher.class, Named.class)
        .withPropertyValues("outbox.relay.name=first")
        .run(
            context ->
                assertThat(context.getBean(RelayLifecycle.class).relay().orElseThrow().name())
                    .startsWith("last"));
  }

  @Configuration(proxyBeanMethods = false)
  static class Named {
    @Bean
    OutboxCustomizer<Relay.Builder> name() {
      return relay -> relay.name("last");
    }
  }

  @Test
  void a_contradiction_of_properties_fails_the_start() {
    application
        .withUserConfiguration(OnePublisher.class)
        .withPropertyValues("outbox.relay.lease=1s", "outbox.relay.renewal=1s")
        .run(context -> assertThat(context).hasFailed());
  }

  @Test
  void publishers_run_on_virtual_threads_when_the_application_does_and_Java_has_them() {
    String kind = Runtime.version().feature() < 21 ? "Thread[" : "VirtualThread";
    application
        .withUserConfiguration(TellsItsThread.class)
        .withPropertyValues("spring.threads.virtual.enabled=true")
        .run(
            context -> {
              enqueue(context, "orders");
              await().untilAsserted(() -> assertThat(SENT).hasSize(1));
              assertThat(SENT.get(0)).startsWith(kind);
            });
  }

  @Test
  void a_number_of_publish_threads_holds_where_the_application_runs_on_virtual_ones() {
    application
        .withUserConfiguration(TellsItsThread.class)
        .withPropertyValues("spring.threads.virtual.enabled=true", "outbox.relay.publish-threads=2")
        .run(
            context -> {
              enqueue(context, "orders");
              await().untilAsserted(() -> assertThat(SENT).hasSize(1));
              assertThat(SENT.get(0)).startsWith("Thread[");
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class TellsItsThread {
    @Bean
    Publisher broker() {
      return Publisher.blocking(envelope -> SENT.add(Thread.currentThread().toString()));
    }
  }

  @Test
  void a_publisher_of_the_application_takes_the_place_of_ours() {
    application
        .withUserConfiguration(OnePublisher.class)
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(Publisher.class)
                    .doesNotHaveBean(MessageLimits.class));
  }

  private static Publisher to(String name) {
    return Publisher.blocking(envelope -> SENT.add(name + " " + envelope.topic()));
  }

  private static void enqueue(ApplicationContext context, String topic) {
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(
            status -> context.getBean(Outbox.Joined.class).enqueue(Message.to(topic).text("1")));
  }

  private static List<String> relayThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("outbox-"))
        .toList();
  }
}
