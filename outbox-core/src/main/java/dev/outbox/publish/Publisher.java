package dev.outbox.publish;

import dev.outbox.internal.publish.AsyncPublisher;
import dev.outbox.internal.publish.BatchPublisher;
import dev.outbox.internal.publish.BlockingPublisher;
import dev.outbox.internal.publish.ClassifyingPublisher;
import dev.outbox.internal.publish.GuaranteesPublisher;
import dev.outbox.internal.publish.ObservedPublisher;
import dev.outbox.internal.publish.Reading;
import dev.outbox.internal.publish.RoutingPublisher;
import dev.outbox.internal.publish.TransactionalPublisher;
import dev.outbox.internal.publish.pace.TimedPublisher;
import dev.outbox.internal.publish.pace.Window;
import dev.outbox.internal.publish.resolve.ResolvingPublisher;
import dev.outbox.message.Envelope;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * The user's code that hands envelopes to a broker.
 *
 * <p>Must be safe for use by many threads: flights of different lanes run at the same time. Most
 * applications use one of the factories here instead of implementing {@link #publish} themselves.
 *
 * <pre>{@code
 * Publisher blocking = Publisher.blocking(each -> client.send(each.topic(), each.payload().bytes()));
 * Publisher async = Publisher.async(each -> client.sendAsync(each.topic(), each.payload().bytes()));
 * Publisher batch = Publisher.batch(list -> client.sendAll(list)); // one answer for each
 * Publisher rows = Publisher.transactional((each, connection) -> order.insert(connection));
 * Publisher routed = Publisher.route(Map.of("mails", blocking, "orders", async));
 *
 * Publisher publisher =
 *     batch
 *         .classify(failure -> Ack.of(failure)) // what the client's exceptions mean
 *         .withGuarantees(BrokerGuarantees.nothing().dedupes(Duration.ofMinutes(2)))
 *         .resolving(resolver) // loads payloads by reference
 *         .observed(observer)
 *         .longestSend(Duration.ofSeconds(10)); // no send begins that could outlast its flight
 *
 * Publisher own =
 *     new Publisher() {
 *       public void publish(Flight flight) {
 *         for (Envelope each : flight.envelopes()) {
 *           client
 *               .sendAsync(each.topic(), each.payload().bytes())
 *               .whenComplete(
 *                   (done, failure) ->
 *                       flight.ack(each, failure == null ? Ack.delivered() : Ack.of(failure)));
 *         }
 *       }
 *
 *       public Ordering ordering() {
 *         return Ordering.ONE_PER_KEY; // it may deliver a message after a failed one of its key
 *       }
 *
 *       public Ack unanswered(Envelope envelope, TimeoutException deadline) {
 *         return Ack.unavailable(deadline);
 *       }
 *
 *       public BrokerGuarantees brokerGuarantees() {
 *         return BrokerGuarantees.nothing();
 *       }
 *
 *       public boolean isTransactional() {
 *         return false;
 *       }
 *
 *       public boolean resolvesReferences() {
 *         return false;
 *       }
 *     };
 * }</pre>
 */
public interface Publisher {
  /**
   * Hands the flight's envelopes to the broker and answers each once, before or after returning.
   * What is thrown answers all that have no answer yet, as {@link Ack#of} says and a classifier
   * reads it; thrown by a transactional publisher it undoes all effects of the flight that it was
   * handed, in a route those of its topic, and answers every envelope of it.
   *
   * @throws Exception whatever went wrong
   */
  void publish(Flight flight) throws Exception;

  /**
   * What it means that an envelope got no answer by the deadline of its flight. It may have reached
   * the broker, and may still. Default: {@link Ack.Failed}.
   */
  default Ack unanswered(Envelope envelope, TimeoutException silence) {
    return Ack.failed(silence);
  }

  /** What this publisher promises of messages of one key in one flight. Default: nothing. */
  default Ordering ordering() {
    return Ordering.ONE_PER_KEY;
  }

  /**
   * True when this publisher writes in the claim's own transaction, and so works with row claims
   * only.
   */
  default boolean isTransactional() {
    return false;
  }

  /** What this publisher and its broker offer beyond an answer. Default: nothing. */
  default BrokerGuarantees brokerGuarantees() {
    return BrokerGuarantees.nothing();
  }

  /** This publisher, declaring what its broker offers. */
  default Publisher withGuarantees(BrokerGuarantees brokerGuarantees) {
    return new GuaranteesPublisher(
        this, Objects.requireNonNull(brokerGuarantees, "brokerGuarantees"));
  }

  /**
   * True when this publisher can be handed a message whose payload is a reference that was not
   * loaded. Where it is false, the relay does not give it such messages: they are {@link
   * Ack.Unavailable}. Default: false.
   */
  default boolean resolvesReferences() {
    return false;
  }

  /**
   * This publisher, with the payloads of messages by reference loaded by {@code resolver}, all of a
   * flight at once. One whose row is missing is {@link Ack.Rejected}; one of a table that the
   * resolver does not know is left to this publisher if that {@link #resolvesReferences}, and else
   * {@link Ack.Unavailable}; what the resolver throws is read as {@link Resolver#failure} says, and
   * no classifier is asked. Under a transactional publisher the resolver reads in the claim's
   * transaction. The loaded payloads of a flight are in memory together: with large rows, lower the
   * relay's batch.
   */
  default Publisher resolving(Resolver resolver) {
    return new ResolvingPublisher(this, Objects.requireNonNull(resolver, "resolver"));
  }

  /**
   * This publisher, with its failures read by {@code classifier}: it gets the cause of every
   * failure and of every outage, and answers with the {@link Ack} that it means, or with null for
   * what this publisher made of it. {@link Ack#of} is a reading anew: a ready publisher knows more.
   */
  default Publisher classify(Function<Throwable, Ack> classifier) {
    return ClassifyingPublisher.of(this, classifier);
  }

  /**
   * This publisher, with the time after which its client itself gives up a send. No send begins
   * that could outlast its flight, so that nothing is delivered after it was reported as failed:
   * what has no time left is {@link Ack.NotSent}. The messages of a flight that is too short for
   * any send are {@link Ack.Unavailable}.
   *
   * @throws IllegalArgumentException when the time is not positive
   */
  default Publisher longestSend(Duration longestSend) {
    return new TimedPublisher(this, Objects.requireNonNull(longestSend, "longestSend"));
  }

  /**
   * This publisher, with every send watched by {@code observer}; one that is put around another is
   * called first and closed last. A publisher that makes single sends by other means than the
   * factories here is watched flight by flight, unless it overrides this. The observer hears
   * failures as {@link #classify} reads them, whichever of the two is called first; a classifier
   * may be asked twice for one failure. Without an observer nothing is spent on it.
   */
  default Publisher observed(SendObserver observer) {
    return new ObservedPublisher(this, Objects.requireNonNull(observer, "observer"));
  }

  /**
   * A publisher of one envelope at a time: returning is {@link Ack.Delivered}, throwing is {@link
   * Ack#of}.
   */
  static Publisher blocking(Send send) {
    return new BlockingPublisher(Objects.requireNonNull(send, "send"), Reading.PLAIN);
  }

  /**
   * A publisher that starts a send and learns of its end: normal completion is {@link
   * Ack.Delivered}, exceptional completion is {@link Ack#of}.
   *
   * <p>All keys of a flight are sent at the same time; of one key the next send starts when the one
   * before was delivered, on the thread that completes it. A client whose send may block that
   * thread returns {@code send(..).whenCompleteAsync(..)} instead. No send starts once the flight
   * {@link Flight#shouldStop}.
   */
  static Publisher async(Function<Envelope, ? extends CompletionStage<?>> send) {
    return new AsyncPublisher(Objects.requireNonNull(send, "send"), Reading.PLAIN, null);
  }

  /**
   * As the other, with at most {@code atOnce} sends under way at a time, over all flights: for a
   * client that opens a connection for each, or keeps them in memory. The others wait their turn
   * without a thread, and are {@link Ack.NotSent} if the flight {@link Flight#shouldStop} before it
   * comes. A {@code send} that blocks keeps one place and one thread; one that has not ended when
   * the relay gives its flight up counts no longer.
   *
   * @throws IllegalArgumentException when {@code atOnce} is below 1
   */
  static Publisher async(Function<Envelope, ? extends CompletionStage<?>> send, int atOnce) {
    if (atOnce < 1) {
      throw new IllegalArgumentException("atOnce is " + atOnce + ", the minimum is 1");
    }
    return new AsyncPublisher(
        Objects.requireNonNull(send, "send"), Reading.PLAIN, Window.of(atOnce));
  }

  /**
   * A publisher that sends many envelopes and waits once: {@code send} gets all that may go
   * together, at most one of each key, and returns their answers in the same order. What it throws
   * answers all of them as {@link Ack#of} says; so does a list of another size, and a null in it
   * fails its own message. A flight with several messages of a key is handed over in several lists,
   * each when the one before was answered, until it {@link Flight#shouldStop}.
   */
  static Publisher batch(SendBatch send) {
    return new BatchPublisher(Objects.requireNonNull(send, "send"), Reading.PLAIN);
  }

  /**
   * A publisher that writes to the outbox's own database in the claim's transaction, so that its
   * writes and the removal of the message commit together. For row claims; a relay that claims by
   * lanes refuses it at its start.
   */
  static Publisher transactional(SendInTransaction send) {
    return new TransactionalPublisher(Objects.requireNonNull(send, "send"), Reading.PLAIN);
  }

  /**
   * Hands every envelope to the publisher of its topic. A topic without one is {@link
   * Ack.Unavailable}, so that a missing configuration loses nothing.
   *
   * @throws IllegalArgumentException when the map is empty, has a topic that no message could have,
   *     or mixes transactional publishers with others
   */
  static Publisher route(Map<String, Publisher> byTopic) {
    return new RoutingPublisher(byTopic);
  }

  /** Sends one envelope; returning means that the broker has it. */
  @FunctionalInterface
  interface Send {
    void send(Envelope envelope) throws Exception;
  }

  /** Sends envelopes of different keys; returns one answer for each, in their order. */
  @FunctionalInterface
  interface SendBatch {
    List<Ack> send(List<Envelope> envelopes) throws Exception;
  }

  /**
   * Writes the effect of one envelope into the claim's transaction; never commits, rolls back or
   * closes it.
   */
  @FunctionalInterface
  interface SendInTransaction {
    void send(Envelope envelope, Connection transaction) throws Exception;
  }

  /** What a publisher promises of the messages of one topic and key that share a flight. */
  public enum Ordering {
    /** Nothing: so the engine never puts two of them in flight at a time. */
    ONE_PER_KEY,
    /**
     * They arrive in order, and after one that was not delivered no later one is delivered in that
     * flight. So the engine hands over as many as there are.
     */
    PIPELINED
  }
}
