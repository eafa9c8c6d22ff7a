package dev.outbox.examples.chaos;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * What is to be done later, while time passes.
 *
 * <p>Used by one thread.
 */
final class Agenda {
  private static final long TICK_MILLIS = 20;

  private final Queue<Item> items = new PriorityQueue<>(Comparator.comparingLong(Item::at));

  /** Something to do that may fail. */
  interface Task {
    void run() throws Exception;
  }

  private record Item(long at, Task task) {}

  void after(Duration time, Task task) {
    items.add(new Item(System.nanoTime() + time.toNanos(), task));
  }

  /** Lets this much time pass and does what falls due. */
  void pass(Duration time) throws Exception {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      doWhatIsDue();
      Thread.sleep(TICK_MILLIS);
    }
    doWhatIsDue();
  }

  private void doWhatIsDue() throws Exception {
    Item first = items.peek();
    while (first != null && first.at() <= System.nanoTime()) {
      items.remove();
      first.task().run();
      first = items.peek();
    }
  }
}
