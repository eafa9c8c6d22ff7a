package dev.outbox.publish;

import dev.outbox.message.Envelope;
import java.util.List;

/**
 * Watches single sends: for traces, timers per topic, or the context of log lines. {@link
 * Publisher#observed} puts it around a publisher.
 *
 * <p>Must be safe for use by many threads. Called for every send: return quickly. What it throws is
 * logged and changes nothing.
 *
 * <pre>{@code
 * SendObserver observer =
 *     sent -> {
 *       Span span = tracer.begin(sent);
 *       return new SendObserver.Scope() {
 *         public void answered(Envelope envelope, Ack ack) {
 *           span.note(envelope.id() + " " + ack);
 *         }
 *
 *         public void close() {
 *           span.end();
 *         }
 *       };
 *     };
 * Publisher observed = publisher.observed(observer);
 * }</pre>
 */
@FunctionalInterface
public interface SendObserver {
  /**
   * Messages are about to be handed to the client, on this thread: one, with {@link
   * Publisher#batch} those of one list, and with a publisher that implements {@link
   * Publisher#publish} those of its flight. What is returned ends with this call of the client, and
   * hears the answers.
   */
  Scope sending(List<Envelope> envelopes);

  /** One call of the client. */
  interface Scope extends AutoCloseable {
    /**
     * A message of the call has its answer. Called once for each, before or after {@link #close},
     * on any thread, that of the relay included: where this waits, the relay waits. One that has
     * none when the relay stops waiting (at the deadline of its flight, when the lease is lost, at
     * a close) has failed by a {@link java.util.concurrent.TimeoutException}, as a classifier reads
     * it; what the client says later is not heard. In a {@link Flight} of your own, a message
     * without an answer is not reported.
     */
    default void answered(Envelope envelope, Ack ack) {}

    /** The call has returned. Called once, on the thread that began it. */
    @Override
    void close();
  }
}
