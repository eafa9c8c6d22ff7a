package dev.outbox.internal.publish.pace;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets that many sends be under way at a time; the others wait in the order in which they came,
 * without a thread.
 *
 * <p>Safe for use by many threads. Every entry and every exit makes room for one start at most, so
 * as many looks as there are of them start all that may.
 */
/*
 * A client may lose a send, which then never ends. Once its flight is over, a send that finds no free place takes its
 * place: at once, or soon when it waits already. Otherwise all places would be lost one day, and the publisher would
 * stop.
 */
public final class Window {
  private static final Logger log = LoggerFactory.getLogger(Window.class);
  private static final long BETWEEN_CLEARINGS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final Executor LATER =
      CompletableFuture.delayedExecutor(BETWEEN_CLEARINGS, TimeUnit.NANOSECONDS, Runnable::run);

  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final Set<Place> taken = ConcurrentHashMap.newKeySet();
  private volatile long cleared = System.nanoTime() - BETWEEN_CLEARINGS;
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicBoolean clearsLater = new AtomicBoolean();

  /** Changed by the thread that looks, and by those that leave. */
  private final AtomicInteger free;

  private Window(int size) {
    this.free = new AtomicInteger(size);
  }

  /** A window of this size. */
  public static Window of(int size) {
    return new Window(size);
  }

  private record Waiting(Consumer<Place> start, BooleanSupplier isGivenUp) {}

  /** The place of one that was started. */
  public final class Place {
    private final BooleanSupplier isGivenUp;
    private final AtomicBoolean left = new AtomicBoolean();

    private Place(BooleanSupplier isGivenUp) {
      this.isGivenUp = isGivenUp;
    }

    /** It is over; only the first call counts. */
    public void leave() {
      if (left.compareAndSet(false, true)) {
        taken.remove(this);
        free.incrementAndGet();
        look();
      }
    }
  }

  /**
   * Starts it now or later. What was started leaves its place when it ends. It loses the place
   * before that when it {@code isGivenUp} and others wait.
   */
  public void enter(Consumer<Place> start, BooleanSupplier isGivenUp) {
    waiting.add(new Waiting(start, isGivenUp));
    clear();
    look();
    clearLater();
  }

  /** As long as some wait. */
  private void clearLater() {
    if (!waiting.isEmpty() && clearsLater.compareAndSet(false, true)) {
      LATER.execute(
          () -> {
            clearsLater.set(false);
            clearLater();
            if (isFull() && taken.stream().anyMatch(place -> place.isGivenUp.getAsBoolean())) {
              clearOnItsOwnThread();
            }
          });
    }
  }

  /** A start may block, and threads of the common pool are the application's. */
  private void clearOnItsOwnThread() {
    Thread thread = new Thread(this::clearOrTell, "outbox-window");
    thread.setDaemon(true);
    thread.start();
  }

  private void clearOrTell() {
    try {
      clear();
    } catch (RuntimeException | Error thrown) { // else it would be lost in silence
      log.error("a send that had waited for its place failed as it began", thrown);
    }
  }

  private boolean isFull() {
    return free.get() <= 0;
  }

  private void clear() {
    long now = System.nanoTime();
    if (isFull() && now - cleared >= BETWEEN_CLEARINGS) {
      cleared = now;
      for (Place place : taken) {
        if (place.isGivenUp.getAsBoolean()) {
          place.leave();
        }
      }
    }
  }

  /**
   * The thread that finds no other looking starts; others leave it to them, so that nothing
   * recurses.
   */
  private void look() {
    if (looks.getAndIncrement() == 0) {
      startAll();
    }
  }

  /** What one start throws is thrown on when the others have begun. */
  private void startAll() {
    boolean more = true;
    while (more) {
      try {
        startNext();
      } catch (Throwable thrown) {
        if (looks.decrementAndGet() > 0) {
          startAll();
        }
        throw thrown;
      }
      more = looks.decrementAndGet() > 0;
    }
  }

  private void startNext() {
    Waiting next = free.get() > 0 ? waiting.poll() : null;
    if (next != null) {
      free.decrementAndGet();
      Place place = new Place(next.isGivenUp());
      taken.add(place);
      next.start().accept(place);
    }
  }
}
