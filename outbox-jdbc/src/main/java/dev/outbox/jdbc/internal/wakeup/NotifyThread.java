package dev.outbox.jdbc.internal.wakeup;

import dev.outbox.spi.lane.Lane;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies other processes of news, on one connection and one thread, which live while there is
 * something to tell.
 *
 * <p>Safe for use by many threads; {@link #tell} waits for nothing.
 */
/*
 * NOTIFY takes a lock of the whole database at its commit, so it is never part of the business transaction, and there
 * are at most twenty a second: the first news is told at once, and what comes within the next 50 ms is told together.
 *
 * What could not be told is dropped: by the time the database is back, relays have found it by their poll.
 *
 * The outage is the session's, and the teller's while there is none.
 */
final class NotifyThread {
  private static final Logger log = LoggerFactory.getLogger(NotifyThread.class);
  private static final Duration BETWEEN = Duration.ofMillis(50);
  private static final Duration IDLE = Duration.ofSeconds(10);

  private final DataSource dataSource;
  private final String self;
  private final ThreadFactory factory;
  private final WakeupOutage wakeupOutage = new WakeupOutage("notifying other processes");
  private Map<String, Set<Lane>> untold = new LinkedHashMap<>();
  private @Nullable Session session;
  private boolean closed;

  NotifyThread(DataSource dataSource, String self, ThreadFactory factory) {
    this.dataSource = dataSource;
    this.self = self;
    this.factory = factory;
  }

  /** There is news in {@code lanes}; none is anywhere. */
  synchronized void tell(String channel, Set<Lane> lanes) {
    if (closed) {
      return;
    }
    boolean first = untold.isEmpty();
    untold.merge(channel, lanes, NotifyThread::both);
    if (session == null) {
      begin();
    } else if (first) {
      notifyAll();
    }
  }

  /** Without a thread the news is dropped: who has committed hears nothing of it. */
  private void begin() {
    try {
      Session next = new Session();
      next.thread.start();
      session = next;
    } catch (RuntimeException | Error e) {
      untold.clear();
      wakeupOutage.failed(e);
    }
  }

  private static Set<Lane> both(Set<Lane> some, Set<Lane> more) {
    if (some.isEmpty() || more.isEmpty()) {
      return Set.of();
    }
    if (some.containsAll(more)) {
      return some;
    }
    Set<Lane> all = new HashSet<>(some);
    all.addAll(more);
    return all;
  }

  /** Tells what is left, if that takes no longer than a moment, and ends. */
  void close() {
    Session last = closing();
    if (last != null) {
      last.end();
    }
  }

  private synchronized @Nullable Session closing() {
    closed = true;
    notifyAll();
    return session;
  }

  /** What to tell, after {@code rest}; nothing when the session is to end. */
  private synchronized Map<String, Set<Lane>> next(Duration rest) throws InterruptedException {
    long now = System.nanoTime();
    long earliest = now + rest.toNanos();
    long idle = now + IDLE.toNanos();
    long left = 1;
    while (!closed && left > 0) {
      left = (untold.isEmpty() ? idle : earliest) - System.nanoTime();
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    Map<String, Set<Lane>> news = untold;
    untold = new LinkedHashMap<>();
    if (news.isEmpty()) {
      session = null;
    }
    return news;
  }

  private synchronized void gone(Session over) {
    if (session == over) {
      session = null;
    }
  }

  /** One thread's life. */
  private final class Session implements Runnable {
    private final DaemonThread thread = new DaemonThread(factory, "outbox-notify", this);
    private final NotifySession notifySession = new NotifySession(dataSource, self);
    private volatile boolean over;

    @Override
    public void run() {
      try {
        tellUntilIdle();
        notifySession.giveBack();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Throwable t) {
        log.error("notifying other processes stopped after an internal error", t);
      } finally {
        notifySession.cut();
        gone(this);
      }
    }

    private void tellUntilIdle() throws InterruptedException {
      Map<String, Set<Lane>> news = next(Duration.ZERO);
      while (!news.isEmpty()) {
        news = next(told(news));
      }
    }

    /** Returns how long to rest. */
    private Duration told(Map<String, Set<Lane>> news) {
      try {
        notifySession.say(news);
        wakeupOutage.over();
        return BETWEEN;
      } catch (SQLException | RuntimeException e) {
        notifySession.cut();
        return over ? Duration.ZERO : wakeupOutage.failed(e);
      }
    }

    void end() {
      thread.awaitEnd();
      over = true;
      thread.interrupt();
      notifySession.cut();
      thread.awaitEnd();
    }
  }
}
