package dev.outbox.publish;

import dev.outbox.message.Envelope;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * A batch in flight: handed to the publisher, not yet fully answered. Each envelope is answered
 * once, in any order, from any thread.
 *
 * <p>Safe for use by many threads. Implemented by the engine only.
 *
 * <pre>{@code
 * Publisher publisher =
 *     flight -> {
 *       for (Envelope each : flight.envelopes()) {
 *         if (flight.shouldStop()) {
 *           flight.ack(each, Ack.notSent("the deadline is " + flight.deadline()));
 *           continue;
 *         }
 *         client.send(each.topic(), each.payload().bytes(), flight.fencingToken().orElse(0));
 *         flight.ack(each, Ack.delivered());
 *       }
 *     };
 * // of a transactional publisher: the connection of the claim
 * Connection connection = flight.transaction();
 * }</pre>
 */
public interface Flight {
  /** The envelopes, in the order in which those of one key must arrive. */
  List<Envelope> envelopes();

  /** The instant after which an envelope without an answer counts as failed. */
  Instant deadline();

  /**
   * True when no other send should begin: too little of the time is left, or the relay is not sure
   * any more that the messages are its own, as after a long pause of its process. What has not been
   * sent by then is answered {@link Ack.NotSent}, which costs it nothing. Once true it stays true
   * for this flight.
   */
  boolean shouldStop();

  /** Answers one envelope. A late, a second, or a foreign answer is ignored and counted. */
  void ack(Envelope envelope, Ack ack);

  /**
   * A number for a broker that fences: of messages with one key it rises with each takeover, and a
   * relay that has lost its lease still has the old one. It says nothing across keys, nor of
   * messages without a key, and orders nothing but relays. Empty with row claims, where the
   * transaction fences.
   */
  default OptionalLong fencingToken() {
    return OptionalLong.empty();
  }

  /**
   * The transaction of the claim, with row claims only.
   *
   * @throws UnsupportedOperationException when the envelopes are claimed by lanes, which keep no
   *     transaction open
   */
  Connection transaction();
}
