package dev.outbox.store;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Tells resting relays that there may be something to do. A lost or a needless wake-up costs time
 * only: the poll finds what no wake-up announced.
 *
 * <p>Safe for use by many threads.
 */
public interface Wakeup {
  /** Wakes every relay that listens. Returns at once and never throws. */
  void wake();

  /**
   * Calls {@code relay} at every wake-up, from the waker's thread, until the subscription is
   * closed.
   */
  Subscription subscribe(Runnable relay);

  /** The right to be woken. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /** Wake-ups within this process. */
  static Wakeup inProcess() {
    List<Runnable> relays = new CopyOnWriteArrayList<>();
    return new Wakeup() {
      @Override
      public void wake() {
        relays.forEach(Runnable::run);
      }

      @Override
      public Subscription subscribe(Runnable relay) {
        relays.add(relay);
        return () -> relays.remove(relay);
      }
    };
  }
}
