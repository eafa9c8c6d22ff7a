package dev.outbox.jdbc.internal.wakeup;

import dev.outbox.spi.Wakeup;
import dev.outbox.spi.lane.Lane;
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
  private final ListenThread listenThread;
  private final NotifyThread notifyThread;
  private final Wakeup here = Wakeup.inProcess();

  Channel(String name, ListenThread listenThread, NotifyThread notifyThread) {
    this.name = name;
    this.listenThread = listenThread;
    this.notifyThread = notifyThread;
  }

  String name() {
    return name;
  }

  @Override
  public void wake(Set<Lane> lanes) {
    here.wake(lanes);
    notifyThread.tell(name, lanes);
  }

  @Override
  public void hint(Set<Lane> lanes) {
    here.hint(lanes);
  }

  @Override
  public Subscription subscribe(Listener listener) {
    Subscription subscription = here.subscribe(listener);
    try {
      listenThread.begin(this);
    } catch (Throwable t) {
      subscription.close();
      throw t;
    }
    AtomicBoolean closed = new AtomicBoolean();
    return () -> {
      if (closed.compareAndSet(false, true)) {
        subscription.close();
        listenThread.end(this);
      }
    };
  }

  /** Another process has news. */
  void ring(Set<Lane> lanes) {
    here.wake(lanes);
  }
}
