package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.SendObserver;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An observer of the user, and those that were there before it, inside it. What it throws changes
 * nothing: the first is logged as a warning, the others at debug level.
 *
 * <p>Safe for use by many threads.
 */
final class GuardedObserver implements SendObserver {
  private static final Logger log = LoggerFactory.getLogger(GuardedObserver.class);
  private static final Scope NONE = () -> {};

  private final SendObserver observer;
  private final @Nullable GuardedObserver inside;
  private final AtomicBoolean warned = new AtomicBoolean();

  private GuardedObserver(SendObserver observer, @Nullable GuardedObserver inside) {
    this.observer = observer;
    this.inside = inside;
  }

  static GuardedObserver around(SendObserver observer, @Nullable GuardedObserver inside) {
    return new GuardedObserver(Objects.requireNonNull(observer, "observer"), inside);
  }

  @Override
  public Scope sending(List<Envelope> envelopes) {
    Scope own = NONE;
    try {
      own = Objects.requireNonNull(observer.sending(envelopes), "the observer returned null");
    } catch (Throwable thrown) {
      tell(thrown);
    }
    return new GuardedScope(own, inside == null ? NONE : inside.sending(envelopes));
  }

  private void guarded(Runnable call) {
    try {
      call.run();
    } catch (Throwable thrown) {
      tell(thrown);
    }
  }

  private void tell(Throwable thrown) {
    if (warned.compareAndSet(false, true)) {
      log.warn("an observer of sends threw; what else it throws is logged at debug level", thrown);
    } else {
      log.debug("an observer of sends threw", thrown);
    }
  }

  private final class GuardedScope implements Scope {
    private final Scope own;
    private final Scope within;

    GuardedScope(Scope own, Scope within) {
      this.own = own;
      this.within = within;
    }

    @Override
    public void answered(Envelope envelope, Ack ack) {
      within.answered(envelope, ack);
      guarded(() -> own.answered(envelope, ack));
    }

    @Override
    public void close() {
      within.close();
      guarded(own::close);
    }
  }
}
