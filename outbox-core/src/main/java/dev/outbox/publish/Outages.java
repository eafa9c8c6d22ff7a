package dev.outbox.publish;

import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Distinguishes throwables of a broker or database that is down from those of a message. The
 * exceptions of clients are known by name, so that an application needs no client that it does not
 * use. {@code docs/known-outages.md} has the list for users.
 */
final class Outages {
  private static final int DEEPEST_CAUSE = 20;

  /** Classes of clients; each includes its subclasses. */
  private static final Set<String> CLASSES =
      Set.of(
          "java.net.http.HttpTimeoutException",
          "io.netty.channel.unix.Errors$NativeIoException",
          "io.netty.handler.timeout.TimeoutException",
          "org.apache.http.NoHttpResponseException",
          "org.apache.hc.core5.http.NoHttpResponseException",
          // Kafka
          "org.apache.kafka.common.errors.RetriableException",
          "org.apache.kafka.common.errors.AuthenticationException",
          "org.apache.kafka.common.errors.AuthorizationException",
          "org.apache.kafka.common.errors.InterruptException",
          // RabbitMQ
          "com.rabbitmq.client.ShutdownSignalException",
          "com.rabbitmq.client.PossibleAuthenticationFailureException",
          "com.rabbitmq.client.ChannelContinuationTimeoutException",
          // Redis: Lettuce, Jedis
          "io.lettuce.core.RedisCommandTimeoutException",
          "io.lettuce.core.RedisConnectionException",
          "io.lettuce.core.RedisCommandInterruptedException",
          "io.lettuce.core.RedisLoadingException",
          "io.lettuce.core.RedisBusyException",
          "io.lettuce.core.RedisReadOnlyException",
          "redis.clients.jedis.exceptions.JedisConnectionException",
          // MQTT: HiveMQ
          "com.hivemq.client.mqtt.exceptions.MqttClientStateException",
          "com.hivemq.client.mqtt.exceptions.ConnectionClosedException",
          "com.hivemq.client.mqtt.exceptions.ConnectionFailedException",
          "com.hivemq.client.mqtt.exceptions.MqttSessionExpiredException",
          "com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3ConnAckException",
          "com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3DisconnectException",
          "com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException",
          "com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException",
          // JMS: any provider, Artemis, ActiveMQ
          "jakarta.jms.IllegalStateException",
          "jakarta.jms.IllegalStateRuntimeException",
          "jakarta.jms.JMSSecurityException",
          "jakarta.jms.JMSSecurityRuntimeException",
          "jakarta.jms.ResourceAllocationException",
          "jakarta.jms.ResourceAllocationRuntimeException",
          "javax.jms.IllegalStateException",
          "javax.jms.IllegalStateRuntimeException",
          "javax.jms.JMSSecurityException",
          "javax.jms.JMSSecurityRuntimeException",
          "javax.jms.ResourceAllocationException",
          "javax.jms.ResourceAllocationRuntimeException",
          "org.apache.activemq.artemis.api.core.ActiveMQAddressFullException",
          "org.apache.activemq.artemis.api.core.ActiveMQConnectionTimedOutException",
          "org.apache.activemq.artemis.api.core.ActiveMQDisconnectedException",
          "org.apache.activemq.artemis.api.core.ActiveMQNotConnectedException",
          "org.apache.activemq.artemis.api.core.ActiveMQObjectClosedException",
          "org.apache.activemq.artemis.api.core.ActiveMQRemoteDisconnectException",
          "org.apache.activemq.artemis.api.core.ActiveMQUnBlockedException",
          "org.apache.activemq.AlreadyClosedException",
          "org.apache.activemq.ConnectionFailedException",
          "org.apache.activemq.transport.InactivityIOException",
          // Pulsar
          "org.apache.pulsar.client.api.PulsarClientException$AlreadyClosedException",
          "org.apache.pulsar.client.api.PulsarClientException$AuthenticationException",
          "org.apache.pulsar.client.api.PulsarClientException$AuthorizationException",
          "org.apache.pulsar.client.api.PulsarClientException$BrokerMetadataException",
          "org.apache.pulsar.client.api.PulsarClientException$BrokerPersistenceException",
          "org.apache.pulsar.client.api.PulsarClientException$ConnectException",
          "org.apache.pulsar.client.api.PulsarClientException$LookupException",
          "org.apache.pulsar.client.api.PulsarClientException$MemoryBufferIsFullError",
          "org.apache.pulsar.client.api.PulsarClientException$NotConnectedException",
          "org.apache.pulsar.client.api.PulsarClientException$ProducerBlockedQuotaExceededError",
          "org.apache.pulsar.client.api.PulsarClientException$ProducerBlockedQuotaExceededException",
          "org.apache.pulsar.client.api.PulsarClientException$ProducerQueueIsFullError",
          "org.apache.pulsar.client.api.PulsarClientException$TimeoutException",
          // AWS
          "software.amazon.awssdk.core.exception.AbortedException",
          "software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException",
          "software.amazon.awssdk.core.exception.ApiCallTimeoutException",
          "software.amazon.awssdk.core.exception.RetryableException");

  /** Numbers of Paho's: no answer in time, not connected, no room until some are answered. */
  private static final Pattern PAHO =
      Pattern.compile("\\((?:3200[0-2]|3210[1-49]|3211[01]|3220[23])\\)");

  /** Classes that say so in their text only; subclasses do not count. */
  private static final Map<String, Pattern> TEXTS =
      Map.of(
          "io.lettuce.core.RedisException",
          Pattern.compile("[Cc]onnect|queue size exceeded"),
          "java.io.IOException", // the system's own, and NATS
          Pattern.compile(
              "Broken pipe|Connection reset by peer|Timeout or no response waiting for NATS"),
          "java.lang.IllegalStateException", // NATS
          Pattern.compile("Connection is (?:Closed|Draining)|during reconnect, max buffer is"),
          "org.eclipse.paho.client.mqttv3.MqttException",
          PAHO,
          "org.eclipse.paho.mqttv5.common.MqttException",
          PAHO);

  private Outages() {}

  /** True when the throwable or one of its causes says that something is down. */
  static boolean speaksOfOne(Throwable thrown) {
    return isCausedBy(thrown, Outages::isOne);
  }

  /** True when a database says that the same may go well later. */
  static boolean isTransient(Throwable thrown) {
    return isCausedBy(thrown, cause -> cause instanceof SQLTransientException);
  }

  private static boolean isCausedBy(Throwable thrown, Predicate<Throwable> what) {
    Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
      if (what.test(cause)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private static boolean isOne(Throwable cause) {
    return cause instanceof SocketException
        || cause instanceof UnknownHostException
        || cause instanceof ClosedChannelException
        || cause instanceof SSLHandshakeException
        || cause instanceof SSLPeerUnverifiedException
        || cause instanceof InterruptedIOException
        || cause instanceof InterruptedException
        || cause instanceof TimeoutException
        || isWithoutDatabase(cause)
        || isOfClient(cause);
  }

  /** By the class, or by the states that the standard keeps for connections. */
  private static boolean isWithoutDatabase(Throwable cause) {
    return cause instanceof SQLTransientConnectionException
        || cause instanceof SQLNonTransientConnectionException
        || (cause instanceof SQLException refusal
            && refusal.getSQLState() != null
            && refusal.getSQLState().startsWith("08"));
  }

  private static boolean isOfClient(Throwable cause) {
    for (Class<?> type = cause.getClass(); type != Throwable.class; type = type.getSuperclass()) {
      if (CLASSES.contains(type.getName())) {
        return true;
      }
    }
    Pattern text = TEXTS.get(cause.getClass().getName());
    return text != null && text.matcher(cause.toString()).find();
  }
}
