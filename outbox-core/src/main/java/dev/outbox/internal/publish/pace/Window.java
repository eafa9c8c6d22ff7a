package dev.outbox.internal.publish.pace;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets that many sends be under way at a time; the others wait in the order in which they came,
 * without a thread.
 *
 * <p>Safe for use by many threads. A thread that enters or leaves begins all that may, each in a
 * place that it has taken before: one that blocks keeps that place and that thread, and no other.
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

  private final Queue<Entry> waiting = new ConcurrentLinkedQueue<>();
  private final Set<Place> taken = ConcurrentHashMap.newKeySet();
  private volatile long cleared = System.nanoTime() - BETWEEN_CLEARINGS;
  private final AtomicInteger free;
  private final AtomicBoolean looksLater = new AtomicBoolean();

  /** The one that was the next to begin at the last look. */
  private volatile @Nullable Entry firstBefore;

  /** Permits for threads of the window that begin sends; each send may block its thread. */
  private final Semaphore beginners;

  private final Semaphore turnsAway = new Semaphore(1);

  /** True on a thread that begins sends; removed when it has. */
  @SuppressWarnings("ThreadLocalUsage") // a send of one window may end one of another
  private final ThreadLocal<Boolean> begins = new ThreadLocal<>();

  private Window(int size) {
    this.free = new AtomicInteger(size);
    this.beginners = new Semaphore(size);
  }

  /** A window of this size. */
  public static Window of(int size) {
    return new Window(size);
  }

  /** One that is to be let in. */
  public interface Entry {
    /** Its turn has come. It leaves the place when it ends. */
    void begin(Place place);

    /** True when it is to begin no more. */
    boolean isTooLate();

    /** It was too late, and waits no longer. */
    void turnAway();

    /** True when no answer to it counts any more, so that others may have its place. */
    boolean isOver();
  }

  /** The place of one that was let in. */
  public final class Place {
    private final Entry entry;

    private Place(Entry entry) {
      this.entry = entry;
    }

    /** It is over, and the next of its kind, if there is one, enters. */
    public void leave(@Nullable Entry next) {
      giveBack();
      if (next != null) {
        waiting.add(next);
      }
      beginWhoMay();
    }

    private void giveBack() {
      if (taken.remove(this)) { // others may have it already
        free.incrementAndGet();
      }
    }
  }

  /**
   * Begins each now or later, in their order, or turns it away. While one blocks, other threads
   * begin the rest.
   */
  public void enter(List<? extends Entry> entries) {
    waiting.addAll(entries);
    beginWhoMay();
  }

  private void beginWhoMay() {
    clear();
    lookLater(); // for the others, should one block
    look();
  }

  /** As long as some wait. */
  private void lookLater() {
    if (!waiting.isEmpty() && looksLater.compareAndSet(false, true)) {
      LATER.execute(this::lookAgain);
    }
  }

  private void lookAgain() {
    looksLater.set(false);
    lookLater();
    List<Entry> late = waiting.stream().filter(Entry::isTooLate).toList();
    if (!late.isEmpty()) {
      onItsOwnThread(turnsAway, () -> turnAway(late));
    }
    Entry first = waiting.peek();
    boolean isStuck = first != null && first.equals(firstBefore);
    firstBefore = first;
    if (isFull() ? isAnyOver() : isStuck) {
      onItsOwnThread(beginners, this::beginWhoMay);
    }
  }

  /** A send may block, and threads of the common pool are the application's. */
  private void onItsOwnThread(Semaphore permits, Runnable work) {
    if (permits.tryAcquire()) {
      boolean started = false;
      try {
        Thread thread = new Thread(() -> runOrTell(permits, work), "outbox-window");
        thread.setDaemon(true);
        thread.start();
        started = true;
      } finally {
        if (!started) {
          permits.release();
        }
      }
    }
  }

  private void runOrTell(Semaphore permits, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error thrown) { // else it would be lost in silence
      log.error("a send that had waited failed as it began or was given up", thrown);
    } finally {
      permits.release();
    }
  }

  private void turnAway(List<Entry> late) {
    for (Entry entry : late) {
      if (waiting.remove(entry)) { // others may have begun it
        entry.turnAway();
      }
    }
  }

  private boolean isAnyOver() {
    return taken.stream().anyMatch(place -> place.entry.isOver());
  }

  private boolean isFull() {
    return free.get() <= 0;
  }

  private void clear() {
    long now = System.nanoTime();
    if (isFull() && now - cleared >= BETWEEN_CLEARINGS) {
      cleared = now;
      for (Place place : taken) {
        if (place.entry.isOver()) {
          place.giveBack();
        }
      }
    }
  }

  private boolean mayBegin() {
    return !isFull() && !waiting.isEmpty();
  }

  /**
   * Inside a send that it begins, a thread leaves it to the loop around, so that nothing recurses.
   */
  private void look() {
    if (mayBegin() && begins.get() == null) {
      begins.set(true);
      try {
        beginAll();
      } finally {
        begins.remove();
      }
    }
  }

  /** What one throws is thrown on when the others have begun. */
  private void beginAll() {
    for (Place next = next(); next != null; next = next()) {
      try {
        next.entry.begin(next);
      } catch (Throwable thrown) {
        beginAll();
        throw thrown;
      }
    }
  }

  /** The place of the one whose turn it is, or null when none may begin. */
  private @Nullable Place next() {
    while (mayBegin()) {
      if (free.getAndUpdate(places -> Math.max(0, places - 1)) > 0) {
        Entry entry = waiting.poll();
        if (entry != null) {
          Place place = new Place(entry);
          taken.add(place);
          return place;
        }
        free.incrementAndGet(); // who came meanwhile found it taken: look again
      }
    }
    return null;
  }
}
