package dev.outbox.jms;

import jakarta.jms.ConnectionFactory;
import java.time.Duration;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * What a factory of Artemis must be for an outbox. Loaded only when there is one, so that users of
 * other brokers need none of its classes.
 */
final class ArtemisSettings {
  /** {@code id-cache-size} of an address without its own setting. */
  static final int IDS = 20_000;

  private static final String PACKAGE = "org.apache.activemq.artemis.";

  private ArtemisSettings() {}

  static boolean areOf(ConnectionFactory factory) {
    return factory.getClass().getName().startsWith(PACKAGE);
  }

  /**
   * @throws IllegalArgumentException when a setting would report what is not stored, or deliver
   *     what was reported as failed, with its name, value and remedy
   */
  static void require(ConnectionFactory factory, Duration longestSend) {
    if (!(factory instanceof ActiveMQConnectionFactory artemis)) {
      return;
    }
    if (artemis.getConfirmationWindowSize() < 0) {
      throw refused(
          "confirmationWindowSize",
          artemis.getConfirmationWindowSize(),
          "without it the client confirms what the broker has not seen; add confirmationWindowSize=1048576 to the URL");
    }
    if (artemis.getReconnectAttempts() != 0) {
      throw refused(
          "reconnectAttempts",
          artemis.getReconnectAttempts(),
          "the client would deliver later what was reported as failed; leave it out, the publisher renews the connection");
    }
    if (artemis.getInitialConnectAttempts() < 0) {
      throw refused(
          "initialConnectAttempts",
          artemis.getInitialConnectAttempts(),
          "the client would wait for its broker without a limit, at a close too; leave it out, the publisher tries again");
    }
    if (artemis.getCallTimeout() > longestSend.toMillis()) {
      throw refused(
          "callTimeout",
          artemis.getCallTimeout(),
          "a lost connection would hold the next messages for as long, and a third of the publish deadline is %d; add callTimeout=%d to the URL"
              .formatted(longestSend.toMillis(), longestSend.toMillis() / 2));
    }
  }

  private static IllegalArgumentException refused(String name, long value, String remedy) {
    return new IllegalArgumentException("%s is %d, but %s".formatted(name, value, remedy));
  }
}
