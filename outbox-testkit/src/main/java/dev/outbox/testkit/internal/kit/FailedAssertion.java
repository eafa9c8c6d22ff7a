package dev.outbox.testkit.internal.kit;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.SendObserver;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The first assertion that failed in a publisher or in the condition of a fault. A relay takes it
 * for a failed send, so that a test would not learn of it. Safe for use by many threads.
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

  private void hear(Ack ack) {
    if (ack instanceof Ack.Failed failed) {
      look(failed.cause());
    } else if (ack instanceof Ack.Unavailable unavailable) {
      look(unavailable.cause());
    }
  }

  private void look(Throwable thrown) {
    if (thrown instanceof AssertionError error) {
      first.compareAndSet(null, error);
    } else if (thrown.getCause() != null) {
      look(thrown.getCause());
    }
  }

  /** Throws it once. */
  void rethrow() {
    AssertionError error = first.getAndSet(null);
    if (error != null) {
      throw error;
    }
  }

  void forget() {
    first.set(null);
  }
}
