package dev.outbox.examples.chaos;

import dev.outbox.publish.Publisher;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Real brokers that a run can send its messages through, by the names on the command line. Whoever
 * has them on the class path offers them as a service.
 */
public interface BrokerSource {
  /** A publisher, and what is to be closed after it. */
  record Opened(Publisher publisher, AutoCloseable owned) {}

  /** What a consumer without our code received. */
  record Received(String id, @Nullable String key, String text) {}

  /** A private server with one destination. */
  interface Server extends AutoCloseable {
    /** The topic that goes to its destination. */
    String topic();

    /** Where publishers find it. */
    String address();

    /** Ends it as SIGKILL does. */
    void kill();

    /** Starts it on its data and waits until it takes connections. */
    void restart();

    /** All that a consumer receives, those of a key in their order; once. */
    List<Received> received() throws Exception;

    @Override
    void close();
  }

  /** Starts one whose clients find it at the port that {@code network} makes of its own. */
  Server start(String broker, IntUnaryOperator network) throws Exception;

  /** The ready publisher to the server at this address. */
  Opened publisher(String broker, String address, Duration deadline) throws Exception;

  /**
   * Those on the class path.
   *
   * @throws BadArgumentException when there are none
   */
  static BrokerSource find() {
    return ServiceLoader.load(BrokerSource.class)
        .findFirst()
        .orElseThrow(
            () ->
                new BadArgumentException(
                    "--broker needs publishers and servers on the class path; examples/chaos/run"
                        + " puts them there"));
  }
}
