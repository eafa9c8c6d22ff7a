package dev.outbox.rabbitmq;

import com.rabbitmq.client.SocketConfigurator;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the socket of a connection past the client.
 *
 * <p>A write that waits for the network holds locks. Whatever the client does to end the
 * connection, at a close as after lost heartbeats, waits for these locks, and the write for a peer
 * that takes nothing: nothing but an end of the socket ends that.
 *
 * <p>Safe for use by many threads.
 */
final class SocketCut implements SocketConfigurator {
  private volatile @Nullable Socket socket;

  @Override
  public void configure(Socket last) {
    socket = last;
  }

  /** What is written or read fails at once; nothing is flushed. */
  void cut() {
    Socket open = socket;
    if (open != null) {
      try (open) {
        open.setSoLinger(true, 0);
      } catch (IOException closed) {
        socket = null;
      }
    }
  }

  /** A cut may block, and threads of the common pool are the application's. */
  static CompletableFuture<Void> later(Duration after, Runnable task) {
    return CompletableFuture.runAsync(
        task,
        CompletableFuture.delayedExecutor(
            after.toNanos(), TimeUnit.NANOSECONDS, cut -> daemon("outbox-rabbitmq-cut", cut)));
  }

  static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
