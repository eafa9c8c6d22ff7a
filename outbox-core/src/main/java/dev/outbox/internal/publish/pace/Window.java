package dev.outbox.internal.publish.pace;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets that many sends be under way at a time; the others wait in the order in which they came,
 * without a thread.
 *
 * <p>Safe for use by many threads. Every entry and every exit makes room for one start at most, so
 * as many looks as there are of them start all that may.
 */
public final class Window {
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger looks = new AtomicInteger();

  /** Changed by the thread that looks, and by those that leave. */
  private final AtomicInteger free;

  private Window(int size) {
    this.free = new AtomicInteger(size);
  }

  /** A window of this size. */
  public static Window of(int size) {
    return new Window(size);
  }

  /** Starts it now or later; who was started says {@link #leave} once. */
  public void enter(Runnable start) {
    waiting.add(start);
    look();
  }

  /** One that was started is over. */
  public void leave() {
    free.incrementAndGet();
    look();
  }

  /**
   * The thread that finds no other looking starts; others leave it to them, so that nothing
   * recurses.
   */
  private void look() {
    if (looks.getAndIncrement() == 0) {
      do {
        if (free.get() > 0) {
          startNext();
        }
      } while (looks.decrementAndGet() > 0);
    }
  }

  private void startNext() {
    Runnable next = waiting.poll();
    if (next != null) {
      free.decrementAndGet();
      next.run();
    }
  }
}
