package dev.outbox.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients throw while their broker is down; stand-ins of their names, for want of clients. */
class OutagesOfClientsTest {
  private static final String KAFKA = "org.apache.kafka.common.errors.";
  private final StandInClasses clients = new StandInClasses();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.rabbitmq.client.AlreadyClosedException < com.rabbitmq.client.ShutdownSignalException",
        "com.rabbitmq.client.ShutdownSignalException",
        "com.rabbitmq.client.AuthenticationFailureException < com.rabbitmq.client.PossibleAuthenticationFailureException < java.io.IOException",
        "org.apache.kafka.common.errors.TimeoutException < org.apache.kafka.common.errors.RetriableException",
        "org.apache.kafka.clients.producer.BufferExhaustedException < org.apache.kafka.common.errors.TimeoutException < org.apache.kafka.common.errors.RetriableException",
        "org.apache.kafka.common.errors.TopicAuthorizationException < org.apache.kafka.common.errors.AuthorizationException",
        "io.lettuce.core.RedisCommandTimeoutException < io.lettuce.core.RedisException",
        "io.lettuce.core.RedisConnectionException < io.lettuce.core.RedisException",
        "io.lettuce.core.RedisReadOnlyException < io.lettuce.core.RedisCommandExecutionException < io.lettuce.core.RedisException",
        "redis.clients.jedis.exceptions.JedisConnectionException",
        "com.hivemq.client.mqtt.exceptions.MqttClientStateException",
        "com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException",
        "jakarta.jms.IllegalStateRuntimeException < jakarta.jms.JMSRuntimeException",
        "javax.jms.IllegalStateException < javax.jms.JMSException",
        "org.apache.activemq.artemis.api.core.ActiveMQNotConnectedException",
        "org.apache.activemq.ConnectionFailedException < jakarta.jms.JMSException",
        "org.apache.pulsar.client.api.PulsarClientException$TimeoutException < org.apache.pulsar.client.api.PulsarClientException < java.io.IOException",
        "org.apache.pulsar.client.api.PulsarClientException$TooManyRequestsException < org.apache.pulsar.client.api.PulsarClientException$LookupException",
        "software.amazon.awssdk.core.exception.ApiCallTimeoutException < software.amazon.awssdk.core.exception.SdkClientException",
        "io.netty.channel.unix.Errors$NativeIoException < java.io.IOException"
      })
  void an_outage_is_Unavailable_by_the_name_of_its_class_or_of_one_above(String classes)
      throws Exception {
    List<String> names = Pattern.compile(" < ").splitAsStream(classes).toList();
    String[] parents = names.stream().skip(1).toArray(String[]::new);
    Throwable outage = clients.thrown("down", names.get(0), parents);

    assertThat(Ack.of(outage)).isEqualTo(Ack.unavailable(outage));
    assertThat(Ack.of(new CompletionException(outage))).isEqualTo(Ack.unavailable(outage));
    RuntimeException wrapped = new RuntimeException(new IllegalStateException(outage));
    assertThat(Ack.of(wrapped)).isEqualTo(Ack.unavailable(wrapped));
  }

  @ParameterizedTest
  @CsvSource({
    "java.io.IOException, Timeout or no response waiting for NATS JetStream server",
    "java.io.IOException, Broken pipe",
    "java.io.IOException, Connection reset by peer",
    "java.lang.IllegalStateException, Connection is Closed",
    "java.lang.IllegalStateException, 'Unable to queue any more messages during reconnect, max buffer is 8388608'",
    "io.lettuce.core.RedisException, Currently not connected. Commands are rejected.",
    "io.lettuce.core.RedisException, Connection is closed",
    "org.eclipse.paho.client.mqttv3.MqttException, Client is not connected (32104)",
    "org.eclipse.paho.mqttv5.common.MqttException, Connection lost (32109)"
  })
  void an_outage_that_only_its_text_tells_is_Unavailable(String name, String text)
      throws Exception {
    Throwable outage = clients.thrown(text, name);

    assertThat(Ack.of(outage)).isEqualTo(Ack.unavailable(outage));
  }

  @ParameterizedTest
  @CsvSource({
    "org.apache.kafka.common.errors.RecordTooLargeException, too large",
    "org.apache.kafka.common.errors.SerializationException, no",
    "io.lettuce.core.RedisCommandExecutionException, WRONGTYPE Connection of the wrong kind",
    "io.lettuce.core.RedisException, Value must not be null",
    "io.nats.client.JetStreamApiException, wrong last sequence",
    "jakarta.jms.MessageFormatException, no",
    "com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException, payload format invalid",
    "org.eclipse.paho.client.mqttv3.MqttException, Invalid message (32108)",
    "org.apache.pulsar.client.api.PulsarClientException$InvalidMessageException, too large",
    "software.amazon.awssdk.services.sqs.model.InvalidMessageContentsException, no",
    "java.lang.IllegalArgumentException, Message payload size exceed server configuration",
    "java.io.IOException, status 422",
    "java.lang.IllegalStateException, no such order"
  })
  void what_clients_throw_for_a_message_is_Failed(String name, String text) throws Exception {
    Throwable refusal = clients.thrown(text, name);

    assertThat(Ack.of(refusal)).isEqualTo(Ack.failed(refusal));
  }

  @Test
  void a_connection_that_is_lost_in_the_middle_is_Unavailable() {
    Throwable reset = new SocketException("Connection reset");
    Throwable closed = new ClosedChannelException();

    assertThat(Ack.of(reset)).isEqualTo(Ack.unavailable(reset));
    assertThat(Ack.of(new IOException(closed))).isInstanceOf(Ack.Unavailable.class);
  }

  @Test
  void a_class_of_a_known_name_in_another_package_says_nothing() throws Exception {
    Throwable own = clients.thrown("mine", "com.example.errors.RetriableException");

    assertThat(Ack.of(own)).isEqualTo(Ack.failed(own));
    assertThat(Ack.of(clients.thrown("theirs", KAFKA + "RetriableException")))
        .isInstanceOf(Ack.Unavailable.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Kafka",
        "RabbitMQ",
        "NATS",
        "Lettuce",
        "Jedis",
        "HiveMQ",
        "Paho",
        "JMS",
        "Artemis",
        "Pulsar",
        "AWS SDK"
      })
  void the_page_on_outages_names_each_client_that_is_known(String client) throws Exception {
    assertThat(Files.readString(Path.of("../docs/known-outages.md"))).contains(client);
  }
}
