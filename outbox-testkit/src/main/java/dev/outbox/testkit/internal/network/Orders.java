package dev.outbox.testkit.internal.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * What other threads want of the loop: each waits until its order has taken effect, and is told
 * when the loop has ended.
 *
 * <p>Safe for use by many threads.
 */
final class Orders {
  private final Selector selector;
  private final List<Order> waiting = new ArrayList<>();
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private @Nullable Thread thread;
  private @Nullable Throwable failure;
  private boolean ended;

  Orders(Selector selector) {
    this.selector = selector;
  }

  /** Something to do with the sockets. */
  interface Task {
    void run() throws IOException;
  }

  private record Order(Task task, CompletableFuture<Void> done) {}

  /** Runs the loop on a daemon thread. */
  synchronized void serve(ProxyLoop loop) {
    Thread serving =
        new Thread(() -> runToTheEnd(loop), "outbox-proxy-" + loop.address().getPort());
    serving.setDaemon(true);
    this.thread = serving;
    serving.start();
  }

  private void runToTheEnd(Runnable loop) {
    Throwable thrown = null;
    try {
      loop.run();
    } catch (Throwable t) {
      thrown = t;
    }
    for (Order order : endedBy(thrown)) {
      order.done().completeExceptionally(over(thrown));
    }
    if (thrown == null) {
      end.complete(null);
    } else {
      end.completeExceptionally(over(thrown));
    }
  }

  private synchronized List<Order> endedBy(@Nullable Throwable thrown) {
    ended = true;
    failure = thrown;
    return taken();
  }

  /**
   * Waits until the loop has done it.
   *
   * @throws IllegalStateException when the loop has ended, or when it is asked from within
   */
  void give(Task task) {
    requireAnotherThread();
    CompletableFuture<Void> done = new CompletableFuture<>();
    synchronized (this) {
      if (ended) {
        throw over(failure);
      }
      waiting.add(new Order(task, done));
    }
    selector.wakeup();
    await(done);
  }

  private synchronized void requireAnotherThread() {
    if (Thread.currentThread() == thread) {
      throw new IllegalStateException(
          "what silenceAt was given runs on the proxy's own thread; it may look at bytes only");
    }
  }

  private static void await(CompletableFuture<Void> done) {
    try {
      done.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException refused) {
        throw new UncheckedIOException(refused);
      }
      if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw e;
    }
  }

  private static IllegalStateException over(@Nullable Throwable failure) {
    return failure == null
        ? new IllegalStateException("this proxy is closed; make another")
        : new IllegalStateException("this proxy has ended by an error: " + failure, failure);
  }

  /**
   * Carries out what was ordered, until nothing more is; the loop's thread. A look at the selector
   * forgets a wake-up, so that none may be the last before it waits.
   */
  void serveAll() {
    for (List<Order> some = taken(); !some.isEmpty(); some = taken()) {
      some.forEach(this::serve);
    }
  }

  private void serve(Order order) {
    try {
      order.task().run();
      selector.selectNow(); // closes what the order has closed
      order.done().complete(null);
    } catch (IOException | RuntimeException e) {
      order.done().completeExceptionally(e);
    }
  }

  private synchronized List<Order> taken() {
    List<Order> taken = List.copyOf(waiting);
    waiting.clear();
    return taken;
  }

  /**
   * Gives the last order and waits for the end of the loop, also when it has ended before.
   *
   * @throws IllegalStateException when an error has ended it
   */
  void end(Task task) {
    requireAnotherThread();
    synchronized (this) {
      if (!ended) {
        waiting.add(new Order(task, new CompletableFuture<>()));
      }
    }
    selector.wakeup();
    await(end);
  }
}
