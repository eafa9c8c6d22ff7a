package dev.outbox.jdbc.internal.wakeup;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears what other processes say, on one connection and one thread, for as long as there is a
 * listener.
 *
 * <p>Safe for use by many threads.
 */
/*
 * Everybody is rung for anywhere whenever a session has begun to listen: what was said before is lost.
 *
 * The driver keeps its connection to itself while it waits, so that a channel that is wanted later is joined after at
 * most one wait, and an end takes as long; a session that does not end by then is cut.
 */
final class ListenThread {
  private static final Logger log = LoggerFactory.getLogger(ListenThread.class);
  private static final Duration WAIT = Duration.ofMillis(100);
  private static final Duration BETWEEN_PROOFS = Duration.ofSeconds(15);

  private final DataSource dataSource;
  private final String self;
  private final ThreadFactory factory;
  private final Map<Channel, Integer> wanted = new HashMap<>();
  private @Nullable Session session;
  private boolean closed;

  /** Does not listen to what {@code self} says. */
  ListenThread(DataSource dataSource, String self, ThreadFactory factory) {
    this.dataSource = dataSource;
    this.self = self;
    this.factory = factory;
  }

  synchronized void begin(Channel channel) {
    if (session == null && !closed) {
      Session next = new Session();
      next.thread.start();
      session = next;
    }
    wanted.merge(channel, 1, Integer::sum);
  }

  synchronized boolean hasBegun() {
    return session != null;
  }

  void end(Channel channel) {
    endSession(without(channel));
  }

  /** The session to end, if there is no listener any more. */
  private synchronized @Nullable Session without(Channel channel) {
    wanted.computeIfPresent(channel, (same, times) -> times == 1 ? null : times - 1);
    return wanted.isEmpty() ? taken() : null;
  }

  void close() {
    endSession(closing());
  }

  private synchronized @Nullable Session closing() {
    closed = true;
    return taken();
  }

  private synchronized @Nullable Session taken() {
    Session last = session;
    session = null;
    return last;
  }

  private static void endSession(@Nullable Session session) {
    if (session != null) {
      session.end();
    }
  }

  private synchronized List<Channel> wanted() {
    return List.copyOf(wanted.keySet());
  }

  /** One thread's life. */
  private final class Session implements Runnable {
    private final DaemonThread thread = new DaemonThread(factory, "outbox-listen", this);
    private final WakeupOutage wakeupOutage = new WakeupOutage("listening for other processes");
    private volatile @Nullable ListenSession listenSession;
    private volatile boolean over;

    @Override
    public void run() {
      try {
        while (!over) {
          listenOrRest();
        }
      } catch (InterruptedException e) {
        // only end() does it
        Thread.currentThread().interrupt();
      } catch (Throwable t) {
        log.error("listening for other processes stopped after an internal error", t);
      }
    }

    private void listenOrRest() throws InterruptedException {
      try (ListenSession opened = ListenSession.open(dataSource)) {
        listenSession = opened;
        listen(opened);
        opened.giveBack();
      } catch (SQLException | RuntimeException | Error e) {
        if (!over) {
          TimeUnit.NANOSECONDS.sleep(wakeupOutage.failed(e).toNanos());
        }
      }
    }

    private void listen(ListenSession listenSession) throws SQLException {
      Set<Channel> joined = new HashSet<>();
      long proven = System.nanoTime();
      while (!over) {
        join(listenSession, joined);
        wakeupOutage.over();
        listenSession.await(WAIT).forEach(heard -> ring(heard, joined));
        if (System.nanoTime() - proven > BETWEEN_PROOFS.toNanos()) {
          listenSession.requireAlive();
          proven = System.nanoTime();
        }
      }
    }

    private void join(ListenSession listenSession, Set<Channel> joined) throws SQLException {
      for (Channel channel : wanted()) {
        if (joined.add(channel)) {
          listenSession.listen(channel.name());
          channel.ring(Set.of());
        }
      }
    }

    private void ring(ListenSession.Heard heard, Set<Channel> joined) {
      if (!heard.notice().sender().equals(self)) {
        joined.stream()
            .filter(channel -> channel.name().equals(heard.channel()))
            .forEach(channel -> channel.ring(heard.notice().lanes()));
      }
    }

    void end() {
      over = true;
      thread.interrupt();
      thread.awaitEnd();
      ListenSession present = listenSession;
      if (present != null) {
        present.close();
      }
      thread.awaitEnd();
    }
  }
}
