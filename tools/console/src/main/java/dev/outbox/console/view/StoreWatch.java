package dev.outbox.console.view;

import dev.outbox.StoreException;
import dev.outbox.console.look.Look;
import dev.outbox.console.look.Looker;
import dev.outbox.console.look.Rates;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the store again and again while somebody watches, once for all who do, and remembers the
 * last minutes.
 *
 * <p>Safe for use by many threads. Nobody watches, nothing is asked of the database.
 */
public final class StoreWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StoreWatch.class);
  private static final int REMEMBERED = 150;
  private static final int MOST_WATCHERS = 32;
  private static final int SHARE = 20;
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(3);

  private final Looker looker;
  private final Duration interval;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private @Nullable Thread thread;
  private int watchers;
  private long number;
  private @Nullable Long lookBegan;
  private boolean closed;

  /** A look, the rates since the one before, and the wall clock; null for one that failed. */
  public record Sample(long number, long at, @Nullable Look look, Rates rates) {}

  public StoreWatch(Looker looker, Duration interval) {
    this.looker = looker;
    this.interval = interval;
  }

  /**
   * Refuses one more.
   *
   * @throws AnswerException when there are too many
   */
  synchronized void requireRoom() {
    if (watchers == MOST_WATCHERS) {
      throw new AnswerException(503, MOST_WATCHERS + " pages watch already; close one.");
    }
  }

  /** One more watches, until {@link #leave}; false when there are too many. */
  synchronized boolean join() {
    if (watchers == MOST_WATCHERS) {
      return false;
    }
    watchers++;
    if (thread == null && !closed) {
      thread = new Thread(this::run, "outbox-console-sampler");
      thread.setDaemon(true);
      thread.start();
    }
    return true;
  }

  synchronized void leave() {
    watchers--;
    notifyAll();
  }

  /**
   * The samples after a number, once there are any; empty when it is closed or a while has passed.
   */
  public synchronized List<Sample> after(long seen, Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (!closed && (samples.isEmpty() || samples.getLast().number() <= seen)) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return List.of();
      }
      wait(left);
    }
    return closed ? List.of() : samples.stream().filter(sample -> sample.number() > seen).toList();
  }

  /** How long a look has been under way; zero between looks. */
  public synchronized Duration waitingFor() {
    Long began = lookBegan;
    return began == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - began);
  }

  private synchronized void looking(@Nullable Long began) {
    lookBegan = began;
  }

  public synchronized boolean isClosed() {
    return closed;
  }

  private void run() {
    Look before = null;
    try {
      while (isWatched()) {
        long began = System.nanoTime();
        looking(began);
        before = sample(before);
        looking(null);
        pause(before == null ? failed(began) : System.nanoTime() - began);
      }
    } catch (InterruptedException e) {
      log.debug("the sampler ends");
    } finally {
      ended();
    }
  }

  /** However the thread ended, the next page that watches starts another. */
  private synchronized void ended() {
    if (thread == Thread.currentThread()) {
      lookBegan = null;
      thread = null;
    }
  }

  /** A look that fails is no load: whoever watches soon sees that the database is up again. */
  private static long failed(long began) {
    return Math.min(System.nanoTime() - began, AFTER_FAILURE.toNanos() / SHARE);
  }

  private synchronized boolean isWatched() {
    if (closed || watchers == 0) {
      thread = null;
      samples.clear();
      return false;
    }
    return true;
  }

  private @Nullable Look sample(@Nullable Look before) {
    long at = InstantSource.system().millis();
    try {
      Look look = looker.look();
      remember(new Sample(0, at, look, Rates.between(before, look)));
      return look;
    } catch (StoreException e) {
      log.warn("the console cannot look at the store: {}", e.toString());
    } catch (RuntimeException e) {
      if (!isClosed()) {
        log.error("the console cannot look at the store, which is a defect", e);
      }
    }
    remember(new Sample(0, at, null, Rates.UNKNOWN));
    return null;
  }

  private synchronized void remember(Sample sample) {
    samples.addLast(new Sample(++number, sample.at(), sample.look(), sample.rates()));
    while (samples.size() > REMEMBERED) {
      samples.removeFirst();
    }
    notifyAll();
  }

  /** A database that is slow is asked more seldom: a look takes a twentieth of the time at most. */
  private synchronized void pause(long tookNanos) throws InterruptedException {
    long end = System.nanoTime() + Math.max(interval.toNanos(), tookNanos * SHARE);
    long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    while (left > 0 && !closed) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
  }

  @Override
  public void close() {
    Thread running;
    synchronized (this) {
      closed = true;
      running = thread;
      notifyAll();
    }
    if (running != null) {
      running.interrupt();
    }
    looker.close();
  }
}
