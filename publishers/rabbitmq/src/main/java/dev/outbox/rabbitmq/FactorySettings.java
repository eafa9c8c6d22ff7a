package dev.outbox.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import java.time.Duration;

/**
 * What a connection factory must be for an outbox: nothing of it waits for longer than a flight, a
 * connection that is lost is noticed within a flight, and only the publisher renews it.
 */
final class FactorySettings {
  /** A connection is lost after two heartbeats without a sign of life. */
  private static final int HEARTBEAT_PART = 5;

  private static final int WAIT_PART = 10;

  private FactorySettings() {}

  /** A copy with what does not fit set right. */
  static ConnectionFactory fitting(ConnectionFactory given, Duration publishDeadline) {
    ConnectionFactory factory = given.clone();
    int wait = (int) (publishDeadline.toMillis() / WAIT_PART);
    int heartbeat = (int) Math.max(1, publishDeadline.toSeconds() / HEARTBEAT_PART);
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setConnectionTimeout(atMost(given.getConnectionTimeout(), wait));
    factory.setHandshakeTimeout(atMost(given.getHandshakeTimeout(), wait));
    factory.setChannelRpcTimeout(atMost(given.getChannelRpcTimeout(), wait));
    factory.setRequestedHeartbeat(atMost(given.getRequestedHeartbeat(), heartbeat));
    return factory;
  }

  /** Zero is without end. */
  private static int atMost(int given, int limit) {
    return given <= 0 ? limit : Math.min(given, limit);
  }
}
