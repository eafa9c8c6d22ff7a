package dev.outbox.jdbc.proof;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The network between a relay and its database, which can go silent: nothing is forwarded any more,
 * nothing is reset, all sockets stay open and new ones are accepted, as when a host vanishes. When
 * it comes back it has forgotten them: only sockets that are opened from then on are forwarded.
 *
 * <p>Safe for use by many threads.
 */
final class SilentProxy implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("//([^/?]+)");
  private final ServerSocket door;
  private final URI server;
  private final String url;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final CountDownLatch silence = new CountDownLatch(1);
  private final AtomicInteger silences = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private volatile boolean silent;
  private volatile Predicate<String> last = sent -> false;

  private SilentProxy(String url) throws IOException {
    Matcher address = ADDRESS.matcher(url);
    if (!address.find()) {
      throw new IllegalArgumentException("no host and port in " + url);
    }
    this.server = URI.create("tcp://" + address.group(1));
    this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.url =
        new StringBuilder(url)
            .replace(address.start(1), address.end(1), "127.0.0.1:" + door.getLocalPort())
            .toString();
  }

  /** Opens a way to the server of this JDBC URL. */
  static SilentProxy before(String url) {
    try {
      SilentProxy proxy = new SilentProxy(url);
      daemon("door", proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The URL with this proxy in the place of the server. */
  String url() {
    return url;
  }

  /** From now on nothing passes. */
  void goSilent() {
    silent = true;
    silences.incrementAndGet();
    silence.countDown();
  }

  /** From now on new sockets are forwarded again; those from before stay open and silent. */
  void comeBack() {
    silent = false;
  }

  /** How many sockets were opened while it was silent. */
  int unanswered() {
    return unanswered.get();
  }

  /**
   * Goes silent with the next thing that the client sends of which {@code last} is true: the server
   * does not get it.
   */
  void goSilentAt(Predicate<String> last) {
    this.last = last;
  }

  boolean isSilent() {
    return silent;
  }

  /** Waits for the silence that was asked for. */
  void awaitSilence(long seconds) throws InterruptedException {
    if (!silence.await(seconds, TimeUnit.SECONDS)) {
      throw new AssertionError("the client sent nothing to go silent at within " + seconds + " s");
    }
  }

  private void accept() {
    try {
      while (!door.isClosed()) {
        Socket client = door.accept();
        sockets.add(client);
        if (isSilent()) {
          unanswered.incrementAndGet();
        } else {
          connect(client, silences.get());
        }
      }
    } catch (IOException closed) {
      // the proof is over
    }
  }

  private void connect(Socket client, int since) throws IOException {
    try {
      Socket behind = new Socket(server.getHost(), server.getPort());
      sockets.add(behind);
      daemon("there", () -> forward(client, behind, since, true));
      daemon("back", () -> forward(behind, client, since, false));
    } catch (IOException refused) {
      client.close();
    }
  }

  private void forward(Socket from, Socket to, int since, boolean fromClient) {
    byte[] buffer = new byte[64 * 1024];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int size = in.read(buffer); size > 0; size = in.read(buffer)) {
        if (fromClient && last.test(new String(buffer, 0, size, StandardCharsets.ISO_8859_1))) {
          goSilent();
        }
        if (isForgotten(since)) {
          return;
        }
        out.write(buffer, 0, size);
      }
    } catch (IOException broken) {
      // the other direction is told below
    }
    if (!isForgotten(since)) {
      close(from);
      close(to);
    }
  }

  private boolean isForgotten(int since) {
    return silent || silences.get() != since;
  }

  private static void daemon(String name, Runnable task) {
    Thread thread = new Thread(task, "proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // so much the better
    }
  }

  /** Resets all that is open. */
  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      sockets.forEach(SilentProxy::close);
    }
  }
}
