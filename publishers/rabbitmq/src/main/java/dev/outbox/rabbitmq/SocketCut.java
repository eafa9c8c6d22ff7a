package dev.outbox.rabbitmq;

import com.rabbitmq.client.SocketConfigurator;
import java.io.IOException;
import java.net.Socket;
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
}
