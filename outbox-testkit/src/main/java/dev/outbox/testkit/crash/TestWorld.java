package dev.outbox.testkit.crash;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * What one run takes place in: empty tables and a broker that has received nothing. Opened for one
 * run, closed after it.
 */
public interface TestWorld extends AutoCloseable {
  /**
   * The store as {@code who} uses it: through {@link Steps#watch(String, OutboxStore)}, so that its
   * calls are steps, or through {@link Steps#note} over watched connections, so that its statements
   * are.
   */
  OutboxStore store(String who, Steps steps);

  /** The connections of an application, through {@link Steps#watch(String, DataSource)}. */
  DataSource applications(String who, Steps steps);

  /**
   * Lets time pass for the store: as if all that is in its tables had been written that much
   * earlier. Whole seconds.
   */
  void passTime(Duration step) throws Exception;

  /**
   * The publisher under test. {@code broker} is the name of the broker: what it throws is the
   * broker's refusal. Default: a blocking publisher, in order.
   */
  default Publisher publisher(Receiver broker) {
    return Publisher.blocking(broker::receive);
  }

  /**
   * What is wrong in this world once all has ended, in words. {@code due} are the messages that
   * were committed and are no dead letters: the effect of each must be there, as often as this
   * world promises. Default: nothing.
   */
  default List<String> flaws(Set<MessageId> due) throws Exception {
    return List.of();
  }

  /**
   * A copy of the store as it is, to go back to. Default: this world cannot.
   *
   * @throws UnsupportedOperationException when this world cannot
   */
  default Past remember() throws Exception {
    throw new UnsupportedOperationException(
        "%s has no TestWorld.remember, so its store cannot go back"
            .formatted(getClass().getName()));
  }

  @Override
  void close();

  /** A moment of the store's past. */
  interface Past {
    /**
     * Makes the store what it was then, as the promotion of an asynchronous standby or a restore
     * does: all tables, leases and the identity, which gives ids again. Every session is cut, and
     * open transactions are lost.
     */
    void goBack() throws Exception;
  }

  /** The broker's end of a send. */
  interface Receiver {
    /** Takes the envelope, or refuses it by throwing. */
    void receive(Envelope envelope) throws Exception;
  }

  /** Opens worlds, each with empty tables. */
  interface Opening {
    TestWorld open() throws Exception;
  }
}
