package dev.outbox.testkit.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Says what it hears, until the client has ended; then it ends too. */
final class EchoServer implements AutoCloseable {
  private final ServerSocket door;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final AtomicLong heard = new AtomicLong();
  private final Thread accepting;

  private EchoServer(ServerSocket door) {
    this.door = door;
    this.accepting = daemon(this::accept);
  }

  static EchoServer start(int port) throws IOException {
    return new EchoServer(
        new ServerSocket(port, 500, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})));
  }

  int port() {
    return door.getLocalPort();
  }

  /** How many bytes have come. */
  long heard() {
    return heard.get();
  }

  private void accept() {
    try {
      while (!door.isClosed()) {
        Socket client = door.accept();
        sockets.add(client);
        daemon(() -> echo(client));
      }
    } catch (IOException e) {
      if (!door.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void echo(Socket client) {
    byte[] buffer = new byte[64 * 1024];
    try (client) {
      for (int size = client.getInputStream().read(buffer);
          size > 0;
          size = client.getInputStream().read(buffer)) {
        heard.addAndGet(size);
        client.getOutputStream().write(buffer, 0, size);
      }
    } catch (IOException e) {
      return; // the client was reset, as the test wanted
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "echo");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** A client may be let in until the thread has left its call. */
  @Override
  public void close() throws IOException {
    door.close();
    try {
      accepting.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
