package dev.outbox.brokers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A private server of a broker with one destination, and what a test does to it. */
public interface TestBroker extends AutoCloseable {
  /** The destination, and the topic of all messages. */
  String TOPIC = "orders";

  /** What a consumer without our code received. */
  record Arrived(String id, @Nullable String key, String text) {}

  /**
   * Where clients find the server, past the network that was put before it, as {@link
   * BrokerKind#publisher} takes it.
   */
  String address();

  /** Ends the server as SIGKILL does. */
  void kill();

  /** Starts the server on its data and waits until it takes connections. */
  void restart();

  /** Makes the destination, or makes it empty. */
  void renew() throws Exception;

  /** How many messages are in the destination; to count them may empty it. */
  long size() throws Exception;

  /** All that a consumer receives of the destination, those of a key in their order; once. */
  List<Arrived> arrived() throws Exception;

  HandSender handSender() throws Exception;

  @Override
  void close();
}
