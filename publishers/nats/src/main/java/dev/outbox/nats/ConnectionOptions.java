package dev.outbox.nats;

import io.nats.client.Options;
import java.time.Duration;

/**
 * What the options of a connection must be for an outbox: nothing of it waits for longer than a
 * flight, a connection that is lost is noticed within a flight, nothing is kept for a later
 * connection, and only the publisher renews it.
 */
final class ConnectionOptions {
  private static final int WAIT_PART = 10;
  private static final int ANSWER_PART = 4;

  /** The client looks for answers that are overdue once in the time that one may take. */
  private static final int LOOKS = 2;

  private static final int MAX_PINGS = 2;
  private static final Duration LEAST = Duration.ofMillis(100);

  private ConnectionOptions() {}

  /**
   * A copy with what does not fit set right.
   *
   * @throws IllegalArgumentException when something cannot be set right, with its name
   */
  static Options fitting(Options given, Duration publishDeadline) {
    requireAnswers(given);
    Duration wait = publishDeadline.dividedBy(WAIT_PART);
    int pings = given.getMaxPingsOut();
    Options.Builder options = new Options.Builder(given);
    if (given.getConnectionName() == null) {
      options.connectionName("outbox");
    }
    return options
        .noReconnect()
        .reconnectBufferSize(0)
        .dontForceFlushOnRequest()
        .useTimeoutException()
        .connectionTimeout(atMost(given.getConnectionTimeout(), wait))
        .socketWriteTimeout(atMost(given.getSocketWriteTimeout(), wait))
        .writeQueuePushTimeout(atMost(given.getWriteQueuePushTimeout(), wait))
        .requestCleanupInterval(
            atMost(given.getRequestCleanupInterval(), publishDeadline.dividedBy(ANSWER_PART)))
        .pingInterval(atMost(given.getPingInterval(), wait))
        .maxPingsOut(pings > 0 ? Math.min(pings, MAX_PINGS) : MAX_PINGS) // none is without end
        .build();
  }

  /**
   * Requires that a connection of the application fits.
   *
   * @throws IllegalArgumentException when it does not, with the name of the option
   */
  static void require(Options given, Duration publishDeadline) {
    requireAnswers(given);
    if (given.getReconnectBufferSize() != 0) {
      throw refused(
          "reconnectBufferSize",
          given.getReconnectBufferSize(),
          "what was reported as failed would be sent after the reconnect; set"
              + " reconnectBufferSize(0)");
    }
    Duration answer = given.getRequestCleanupInterval();
    if (answer.multipliedBy(LOOKS).compareTo(publishDeadline) >= 0) {
      throw refused(
          "requestCleanupInterval",
          answer,
          "an overdue answer is noticed after twice as long, which must be below the"
              + " publishDeadline of "
              + publishDeadline
              + "; lower it");
    }
  }

  private static void requireAnswers(Options given) {
    if (given.isNoHeaders()) {
      throw refused("noHeaders", true, "id and key are sent in headers; leave it out");
    }
    if (given.isNoNoResponders()) {
      throw refused(
          "noNoResponders", true, "a missing stream would look like silence; leave it out");
    }
    if (given.isDiscardMessagesWhenOutgoingQueueFull()) {
      throw refused(
          "discardMessagesWhenOutgoingQueueFull",
          true,
          "what is discarded is noticed by a time-out only; leave it out");
    }
  }

  private static IllegalArgumentException refused(String name, Object value, String remedy) {
    return new IllegalArgumentException("%s is %s, but %s".formatted(name, value, remedy));
  }

  private static Duration atMost(Duration given, Duration limit) {
    Duration least = limit.compareTo(LEAST) < 0 ? LEAST : limit;
    boolean fits = given != null && !given.isZero() && given.compareTo(least) <= 0;
    return fits ? given : least;
  }
}
