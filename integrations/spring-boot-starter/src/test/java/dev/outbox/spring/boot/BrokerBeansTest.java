package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.kafka.KafkaPublisher;
import dev.outbox.message.Message;
import dev.outbox.message.MessageLimits;
import dev.outbox.publish.Publisher;
import dev.outbox.rabbitmq.RabbitPublisher;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** The publishers of ours that stand beside a client of Boot's, on H2 in memory. */
class BrokerBeansTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withUserConfiguration(Application.class)
          .withPropertyValues("spring.datasource.generate-unique-name=true");

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  @Test
  void beside_a_client_of_Kafka_there_is_its_publisher_with_the_settings_of_the_application() {
    application
        .withPropertyValues(
            "outbox.broker=kafka",
            "spring.kafka.bootstrap-servers=127.0.0.1:1",
            "spring.kafka.producer.properties.max.request.size=5000")
        .run(
            context -> {
              assertThat(context)
                  .hasSingleBean(KafkaPublisher.class)
                  .hasSingleBean(MessageLimits.class)
                  .doesNotHaveBean(RabbitPublisher.class);
              assertThat(context.getBean(RelayLifecycle.class).isRunning()).isTrue();
            });
    application
        .withPropertyValues("outbox.broker=kafka", "spring.kafka.producer.acks=1")
        .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("acks"));
  }

  @Test
  void a_publisher_of_a_second_database_does_not_take_the_place_of_that_to_Kafka() {
    application
        .withUserConfiguration(SeveralStoresTest.BrokerOfReports.class)
        .withPropertyValues("outbox.broker=kafka", "spring.kafka.bootstrap-servers=127.0.0.1:1")
        .run(
            context -> {
              assertThat(context).hasSingleBean(KafkaPublisher.class);
              assertThat(context.getBean(RelayLifecycle.class).isRunning()).isTrue();
            });
  }

  /** As on Spring Boot 4 with spring-kafka, but without spring-boot-kafka. */
  @Test
  void where_spring_kafka_has_no_settings_of_Boot_those_of_the_outbox_are_enough() {
    application
        .withPropertyValues(
            "outbox.broker=kafka",
            "outbox.kafka.bootstrap-servers=127.0.0.1:1",
            "spring.autoconfigure.exclude="
                + "org.springframework.boot.autoconfigure.kafka.KafkaAutoConfiguration,"
                + "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
        .run(context -> assertThat(context).hasSingleBean(KafkaPublisher.class));
  }

  @Test
  void the_servers_of_Kafka_may_be_a_list_of_YAML() {
    ApplicationContextRunner listed =
        application.withPropertyValues(
            "outbox.broker=kafka",
            "outbox.kafka.bootstrap-servers[0]=127.0.0.1:1",
            "outbox.kafka.bootstrap-servers[1]=nowhere");
    listed.run(BrokerBeansTest::assertReadToTheEnd);
    listed
        .withClassLoader(new FilteredClassLoader("org.springframework.kafka"))
        .run(BrokerBeansTest::assertReadToTheEnd);
  }

  private static void assertReadToTheEnd(AssertableApplicationContext context) {
    assertThat(context)
        .getFailure()
        .rootCause()
        .hasMessageContaining("Invalid url in bootstrap.servers: nowhere");
  }

  @Test
  void of_several_producer_factories_the_application_names_one() {
    ApplicationContextRunner several =
        application
            .withUserConfiguration(TwoFactories.class)
            .withPropertyValues("outbox.broker=kafka");
    several.run(
        context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("mark the one whose settings the outbox takes as @Primary"));
    several
        .withPropertyValues("outbox.kafka.bootstrap-servers=127.0.0.1:1")
        .run(context -> assertThat(context).hasSingleBean(KafkaPublisher.class));
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoFactories {
    @Bean
    ProducerFactory<?, ?> json() {
      return new DefaultKafkaProducerFactory<>(Map.of("bootstrap.servers", "127.0.0.1:1"));
    }

    @Bean
    ProducerFactory<?, ?> avro() {
      return new DefaultKafkaProducerFactory<>(Map.of("bootstrap.servers", "127.0.0.1:1"));
    }

    @Bean
    KafkaTemplate<?, ?> template() {
      return new KafkaTemplate<>(json());
    }
  }

  /** As by connection details of a container, beside the nodes of production in the properties. */
  @Test
  void RabbitMQ_is_where_the_connection_factory_connects_rather_than_where_properties_say()
      throws Exception {
    try (ServerSocket container = listening();
        ServerSocket production = listening()) {
      String node = "127.0.0.1:" + production.getLocalPort();
      application
          .withBean(
              CachingConnectionFactory.class,
              () -> new CachingConnectionFactory("127.0.0.1", container.getLocalPort()))
          .withPropertyValues(
              "outbox.broker=rabbitmq", "spring.rabbitmq.addresses=" + node + "," + node)
          .run(
              context -> {
                enqueue(context, "1");
                container.accept().close();
              });
      production.setSoTimeout(1);
      assertThatThrownBy(production::accept).isInstanceOf(SocketTimeoutException.class);
    }
  }

  private static ServerSocket listening() throws IOException {
    ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    socket.setSoTimeout(10_000);
    return socket;
  }

  @Test
  void beside_a_client_of_RabbitMQ_there_is_its_publisher() {
    application
        .withPropertyValues(
            "outbox.broker=rabbitmq", "spring.rabbitmq.addresses=a:1,amqp://u:p@b:2/v")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(RabbitPublisher.class)
                    .hasSingleBean(MessageLimits.class)
                    .doesNotHaveBean(KafkaPublisher.class));
  }

  @Test
  void a_publisher_by_JMS_is_one_bean_beside_a_connection_factory() {
    application
        .withBean(ConnectionFactory.class, BrokerBeansTest::down)
        .withUserConfiguration(JmsBroker.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(Publisher.class);
              assertThat(context.getBean(RelayLifecycle.class).isRunning()).isTrue();
            });
  }

  private static ConnectionFactory down() {
    return (ConnectionFactory)
        Proxy.newProxyInstance(
            ConnectionFactory.class.getClassLoader(),
            new Class<?>[] {ConnectionFactory.class},
            (proxy, method, arguments) -> {
              throw new JMSException("the broker is down");
            });
  }

  @Test
  void with_both_clients_the_application_says_which() {
    application.run(
        context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("choose a broker with outbox.broker"));
  }

  /** Or the limits of one broker would hold for the messages to the other. */
  @Test
  void with_both_clients_a_process_that_only_writes_says_which_too() {
    ApplicationContextRunner writer = application.withPropertyValues("outbox.relay.enabled=false");
    writer.run(
        context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("choose a broker with outbox.broker"));
    writer
        .withPropertyValues("outbox.broker=none")
        .run(context -> assertThat(context).doesNotHaveBean(MessageLimits.class));
  }

  @Test
  void a_customizer_of_Kafkas_publisher_has_the_last_word() {
    application
        .withUserConfiguration(TopicOfKafka.class)
        .withPropertyValues("outbox.broker=kafka", "outbox.relay.enabled=false")
        .run(
            context ->
                assertThatThrownBy(() -> enqueue(context, "1"))
                    .hasMessageContaining("topic is 'no/topic', Kafka takes"));
  }

  @Configuration(proxyBeanMethods = false)
  static class TopicOfKafka {
    @Bean
    OutboxCustomizer<KafkaPublisher.Builder> topic() {
      return kafka -> kafka.topic(envelope -> "no/topic");
    }
  }

  @Test
  void a_customizer_of_RabbitMQs_publisher_has_the_last_word() {
    application
        .withUserConfiguration(SizeOfRabbit.class)
        .withPropertyValues("outbox.broker=rabbitmq", "outbox.relay.enabled=false")
        .run(
            context -> {
              enqueue(context, "x".repeat(100));
              assertThatThrownBy(() -> enqueue(context, "x".repeat(101)))
                  .hasMessageContaining("101 bytes");
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class SizeOfRabbit {
    @Bean
    OutboxCustomizer<RabbitPublisher.Builder> size() {
      return rabbit -> rabbit.maxMessageSize(100);
    }
  }

  private static void enqueue(ApplicationContext context, String text) {
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(
            status ->
                context.getBean(Outbox.Joined.class).enqueue(Message.to("orders").text(text)));
  }
}
