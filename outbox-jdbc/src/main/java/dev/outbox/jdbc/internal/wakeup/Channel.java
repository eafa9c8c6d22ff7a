package dev.outbox.jdbc.internal.wakeup;

import dev.outbox.message.Lane;
import dev.outbox.store.Wakeup;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The wake-ups of one outbox: rung in this process at once, and told to others. Hints stay in this
 * process.
 *
 * <p>Safe for use by many threads.
 */
final class Channel implements Wakeup {
  private final String name;
  private final Listening listening;
  private final Telling telling;
  private final Wakeup here = Wakeup.inProcess();

  Channel(String name, Listening listening, Telling telling) {
    this.name = name;
    this.listening = listening;
    this.telling = telling;
  }

  String name() {
    return name;
  }

  @Override
  public void wake(Set<Lane> lanes) {
    here.wake(lanes);
    telling.tell(name, lanes);
  }

  @Override
  public void hint(Set<Lane> lanes) {
    here.hint(lanes);
  }

  @Override
  public Subscription subscribe(Listener listener) {
    Subscription subscription = here.subscribe(listener);
    listening.begin(this);
    AtomicBoolean closed = new AtomicBoolean();
    return () -> {
      if (closed.compareAndSet(false, true)) {
        subscription.close();
        listening.end(this);
      }
    };
  }

  /** Another process has news. */
  void ring(Set<Lane> lanes) {
    here.wake(lanes);
  }
}
