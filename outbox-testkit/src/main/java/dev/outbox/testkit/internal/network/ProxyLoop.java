package dev.outbox.testkit.internal.network;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Forwards between a door and a server, as it is told. One thread owns all sockets and does all
 * work; other threads {@linkplain Orders order}, and wait until it is done. A round ends with a
 * look at the selector, because a closed socket is gone only then.
 */
public final class ProxyLoop implements Runnable {
  private final SocketAddress server;
  private final Selector selector;
  private final Door door;
  private final Orders orders;
  private final List<Link> links = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
  private final AtomicInteger unanswered = new AtomicInteger();
  private volatile CountDownLatch silence = new CountDownLatch(1);
  private @Nullable Predicate<String> last;
  private boolean silent;
  private long delay;
  private boolean over;

  private ProxyLoop(SocketAddress server, Selector selector) throws IOException {
    this.server = server;
    this.selector = selector;
    this.door = Door.atFreePort(selector);
    this.orders = new Orders(selector);
  }

  /** A loop before {@code server} that runs on a daemon thread. */
  public static ProxyLoop start(SocketAddress server) throws IOException {
    Selector selector = Selector.open();
    try {
      ProxyLoop loop = new ProxyLoop(server, selector);
      loop.orders.serve(loop);
      return loop;
    } catch (IOException e) {
      selector.close();
      throw e;
    }
  }

  /** Where clients knock. */
  public InetSocketAddress address() {
    return door.address();
  }

  /** Forwards at once, and waits for nothing to fall silent at. */
  public void restore() {
    orders.give(
        () -> {
          last = null;
          forward(0);
        });
  }

  /** Forwards, what the server says that much later. */
  public void delay(long nanos) {
    orders.give(() -> forward(nanos));
  }

  /** Resets what is open. */
  public void reset() {
    orders.give(this::resetAll);
  }

  /** Resets what is open and refuses new connections. */
  public void cut() {
    orders.give(
        () -> {
          door.shut();
          resetAll();
        });
  }

  /** Forwards nothing, lets everybody in. */
  public void silence() {
    orders.give(this::fallSilent);
  }

  /** Falls silent at what a client says next of which {@code said} is true. */
  public void silenceAt(Predicate<String> said) {
    orders.give(
        () -> {
          silence = new CountDownLatch(1);
          last = said;
        });
  }

  /** Waits for a silence. False when there is none within so long. */
  public boolean awaitSilence(long millis) throws InterruptedException {
    return silence.await(millis, TimeUnit.MILLISECONDS);
  }

  /** How many clients came in while it was silent. */
  public int unanswered() {
    return unanswered.get();
  }

  /** Ends the thread, and resets what is open. */
  public void close() {
    orders.end(() -> over = true);
  }

  private void forward(long nanos) throws IOException {
    silent = false;
    delay = nanos;
    door.open(selector);
  }

  private void fallSilent() throws IOException {
    last = null;
    silent = true;
    door.open(selector);
    links.forEach(Link::silence);
    silence.countDown();
  }

  private void resetAll() throws IOException {
    for (Link link : links) {
      link.reset();
    }
    links.clear();
  }

  @Override
  public void run() {
    try (selector) {
      try {
        while (!over) {
          selector.select(millisToNext());
          orders.serveAll();
          pump(knocked());
        }
      } finally {
        door.close();
        resetAll();
        selector.selectNow();
      }
    } catch (IOException e) {
      throw new IllegalStateException("the proxy lost its sockets", e);
    }
  }

  /** The links at which something happened, after those who knocked were let in. */
  private Set<Link> knocked() throws IOException {
    Set<Link> stirred = new HashSet<>();
    for (SelectionKey key : selector.selectedKeys()) {
      if (key.attachment() instanceof Link link) {
        stirred.add(link);
      }
    }
    selector.selectedKeys().clear();
    for (Optional<SocketChannel> client = door.next(); client.isPresent(); client = door.next()) {
      links.add(letIn(client.get()));
    }
    return stirred;
  }

  private Link letIn(SocketChannel client) throws IOException {
    Link link = Link.of(client, selector);
    if (silent) {
      unanswered.incrementAndGet();
      link.silence();
      return link;
    }
    try {
      link.connect(server);
    } catch (IOException refused) {
      link.reset();
    }
    return link;
  }

  private void pump(Set<Link> stirred) throws IOException {
    long now = System.nanoTime();
    for (Link link : links) {
      if (link.isOpen() && !link.isSilent() && (stirred.contains(link) || link.isDue(now))) {
        pump(link, now);
      }
    }
    links.removeIf(link -> !link.isOpen());
  }

  private void pump(Link link, long now) throws IOException {
    boolean on;
    try {
      on = link.pump(buffer, now, delay, this::isLast);
    } catch (IOException broken) {
      link.reset();
      return;
    }
    if (!on) {
      fallSilent();
    }
  }

  private boolean isLast(ByteBuffer bytes) {
    return last != null && last.test(StandardCharsets.ISO_8859_1.decode(bytes).toString());
  }

  /** How long nothing falls due; 0 is for ever. */
  private long millisToNext() {
    long now = System.nanoTime();
    OptionalLong next =
        links.stream()
            .map(Link::nextDue)
            .flatMapToLong(OptionalLong::stream)
            .map(due -> due - now)
            .min();
    return next.isEmpty() ? 0 : TimeUnit.NANOSECONDS.toMillis(Math.max(0, next.getAsLong())) + 1;
  }
}
