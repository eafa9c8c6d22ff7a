package dev.outbox.spi;

import dev.outbox.spi.lane.Lane;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Notifies idle relays that there may be something to do. A lost or a needless wake-up costs time
 * only: the poll finds what no wake-up announced.
 *
 * <p>Safe for use by many threads. No method waits or throws.
 */
public interface Wakeup {
  /** Messages of these lanes have been committed; an empty set is anywhere. */
  void wake(Set<Lane> lanes);

  /**
   * Messages of these lanes were written and will perhaps be committed soon, by a transaction whose
   * end is not reported.
   */
  void hint(Set<Lane> lanes);

  /**
   * Notifies {@code listener} of everything, from the waker's thread, until the subscription is
   * closed.
   */
  Subscription subscribe(Listener listener);

  /** Who is notified; returns at once. */
  interface Listener {
    /** As {@link Wakeup#wake}. */
    void woken(Set<Lane> lanes);

    /** As {@link Wakeup#hint}. */
    void hinted(Set<Lane> lanes);
  }

  /** A subscription. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /** Wake-ups within this process. */
  static Wakeup inProcess() {
    List<Listener> listeners = new CopyOnWriteArrayList<>();
    return new Wakeup() {
      @Override
      public void wake(Set<Lane> lanes) {
        listeners.forEach(listener -> listener.woken(lanes));
      }

      @Override
      public void hint(Set<Lane> lanes) {
        listeners.forEach(listener -> listener.hinted(lanes));
      }

      @Override
      public Subscription subscribe(Listener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
      }
    };
  }
}
