package dev.outbox.testkit.internal.kit;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.SendObserver;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The first assertion that failed in a publisher, its resolver or the condition of a fault. A relay
 * takes it for a failed send, so that a test would not learn of it. Safe for use by many threads.
 */
final class FailedAssertion implements SendObserver {
  private final AtomicReference<@Nullable AssertionError> first = new AtomicReference<>();

  @Override
  public Scope sending(List<Envelope> envelopes) {
    return new Scope() {
      @Override
      public void answered(Envelope envelope, Ack ack) {
        hear(ack);
      }

      @Override
      public void close() {}
    };
  }

  void hear(Ack ack) {
    if (ack instanceof Ack.Failed failed) {
      look(failed.cause());
    } else if (ack instanceof Ack.Unavailable unavailable) {
      look(unavailable.cause());
    }
  }

  private void look(Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable cause = thrown; cause != null && seen.add(cause); cause = cause.getCause()) {
      if (cause instanceof AssertionError error) {
        first.compareAndSet(null, error);
        return;
      }
    }
  }

  /** What a test does or waits for. */
  interface Work<E extends Exception> {
    void run() throws E;
  }

  /** Runs {@code work}, then throws what failed, once; what {@code work} threw is suppressed. */
  <E extends Exception> void rethrowAfter(Work<E> work) throws E {
    try {
      work.run();
    } catch (AssertionError | RuntimeException thrown) {
      AssertionError error = first.getAndSet(null);
      if (error == null) {
        throw thrown;
      }
      if (error != thrown) {
        error.addSuppressed(thrown);
      }
      throw error;
    }
    AssertionError error = first.getAndSet(null);
    if (error != null) {
      throw error;
    }
  }

  void forget() {
    first.set(null);
  }
}
