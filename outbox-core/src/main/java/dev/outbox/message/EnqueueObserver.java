package dev.outbox.message;

import java.util.List;
import java.util.Map;

/**
 * Watches what an outbox writes: for counters, and for traces that go on at the consumer. {@code
 * Outbox.builder(store).observer(..)} takes it.
 *
 * <p>Must be safe for use by many threads. Called on the caller's thread, in its transaction:
 * return quickly. What it throws is logged and changes nothing.
 *
 * <pre>{@code
 * EnqueueObserver observer =
 *     new EnqueueObserver() {
 *       public Map<String, String> writing(Envelope envelope) {
 *         return Map.of("traceparent", tracer.parentOf(envelope.topic()));
 *       }
 *
 *       public void written(List<Envelope> envelopes) {
 *         metrics.add("enqueued", envelopes.size());
 *       }
 *     };
 * Outbox outbox = Outbox.builder(store).observer(observer).build();
 * }</pre>
 */
public interface EnqueueObserver {
  /**
   * A message is about to be written. Returns headers that it gets; those that it has stay. They
   * are left out where they would make it too large, for the outbox or its {@link MessageLimits}.
   * The message may still be refused.
   */
  default Map<String, String> writing(Envelope envelope) {
    return Map.of();
  }

  /** These were written. The caller's transaction may still be rolled back. */
  default void written(List<Envelope> envelopes) {}
}
