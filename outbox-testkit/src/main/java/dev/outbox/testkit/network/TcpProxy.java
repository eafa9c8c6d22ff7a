package dev.outbox.testkit.network;

import dev.outbox.testkit.internal.network.ProxyLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The network between a client and its server, for a test to break: a port of this machine that
 * forwards to the server until the test changes that. The client gets {@link #host} and {@link
 * #port} in place of the server's, or {@link #through a URL}.
 *
 * <p>{@link #cut}, {@link #silence}, {@link #delay} and {@link #restore} replace each other: what
 * was called last holds. Each has taken effect when it returns.
 *
 * <p>Safe for use by many threads. It has one thread, a daemon, however many connections there are.
 *
 * <pre>{@code
 * try (TcpProxy proxy = TcpProxy.to("localhost", 5672)) {
 *   client.connect(proxy.host(), proxy.port());
 *   proxy.cut(); // and look at what the client makes of it
 *   proxy.silence(); // no byte passes, no connection ends
 *   proxy.silenceAt(sent -> sent.contains("COMMIT"));
 *   proxy.awaitSilence(Duration.ofSeconds(10));
 *   proxy.delay(Duration.ofMillis(200)); // each round trip takes that much longer
 *   proxy.reset(); // the open connections, once
 *   proxy.restore();
 *   System.out.println(proxy.unanswered() + " connections were met by silence");
 * }
 * TcpProxy database = TcpProxy.before("jdbc:postgresql://db:5432/shop");
 * String url = database.through("jdbc:postgresql://db:5432/shop");
 * }</pre>
 */
public final class TcpProxy implements AutoCloseable {
  private static final int MAX_PORT = 65_535;
  private static final Duration MAX_DELAY = Duration.ofHours(1);
  private static final Pattern ADDRESS =
      Pattern.compile("//(?:[^/?#@]*@)?(\\[[^\\]]+\\]|[^/?#:@,\\[\\]]+):(\\d{1,5})(?=$|[/?#;])");

  private final String server;
  private final ProxyLoop loop;

  private TcpProxy(String host, int port) {
    this.server = host + ":" + port;
    try {
      this.loop = ProxyLoop.start(new InetSocketAddress(host, port));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot open a proxy to " + server, e);
    }
  }

  /**
   * A proxy to a server, which need not run yet.
   *
   * @throws IllegalArgumentException when the port is not 1 to 65535, or nothing is known of a host
   *     of that name
   */
  public static TcpProxy to(String host, int port) {
    Objects.requireNonNull(host, "host");
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException("port is " + port + ", it must be 1 to " + MAX_PORT);
    }
    if (new InetSocketAddress(host, port).isUnresolved()) {
      throw new IllegalArgumentException("there is no host '" + host + "'; check its name");
    }
    return new TcpProxy(host, port);
  }

  /**
   * A proxy to the server that a URL names, as {@code jdbc:postgresql://localhost:5432/shop}.
   *
   * @throws IllegalArgumentException as {@link #to}, or when there is no single {@code //host:port}
   *     in it
   */
  public static TcpProxy before(String url) {
    Matcher address = address(url);
    return to(address.group(1), Integer.parseInt(address.group(2)));
  }

  /** Where clients connect to: an address of this machine. */
  public String host() {
    return loop.address().getAddress().getHostAddress();
  }

  /** Where clients connect to: a free port that this proxy has found. */
  public int port() {
    return loop.address().getPort();
  }

  /**
   * The URL with this proxy's host and port in place of those in it.
   *
   * @throws IllegalArgumentException when there is no single {@code //host:port} in it
   */
  public String through(String url) {
    Matcher address = address(url);
    return new StringBuilder(url)
        .replace(address.start(1), address.end(2), host() + ":" + port())
        .toString();
  }

  private static Matcher address(String url) {
    Matcher address = ADDRESS.matcher(url);
    if (!address.find()) {
      throw new IllegalArgumentException(
          "there is no single '//host:port' in '%s'; name host and port by TcpProxy.to"
              .formatted(url));
    }
    return address;
  }

  /** Resets the open connections and refuses new ones, as a server does that was killed. */
  public void cut() {
    loop.cut();
  }

  /**
   * Forwards nothing any more: open connections stay open, new ones are accepted, and nothing
   * passes, as when a host vanishes. It stays so for these connections when the proxy is restored.
   */
  public void silence() {
    loop.silence();
  }

  /**
   * {@linkplain #silence Falls silent} at the next thing that a client says of which {@code said}
   * is true; the server does not get it. What is said comes in portions as the network has them,
   * each byte as a character. {@link #silence} and {@link #restore} end the wait for it. {@code
   * said} may look at its text only: if it throws, the proxy ends, and says so to its next caller.
   */
  public void silenceAt(Predicate<String> said) {
    loop.silenceAt(Objects.requireNonNull(said, "said"));
  }

  /**
   * Waits until it has fallen silent.
   *
   * @throws AssertionError when it has not within {@code timeout}
   */
  public void awaitSilence(Duration timeout) throws InterruptedException {
    if (!loop.awaitSilence(timeout.toMillis())) {
      throw new AssertionError("%s has not fallen silent within %s".formatted(this, timeout));
    }
  }

  /**
   * Forwards, but what the server says arrives later by this time: each round trip takes that much
   * longer, however many there are at a time. What is under way keeps its delay.
   *
   * @throws IllegalArgumentException when it is negative or above an hour
   */
  public void delay(Duration each) {
    if (each.isNegative() || each.compareTo(MAX_DELAY) > 0) {
      throw new IllegalArgumentException("delay is " + each + ", it must be zero to " + MAX_DELAY);
    }
    loop.delay(each.toNanos());
  }

  /** Resets the open connections, once; new ones fare as before. */
  public void reset() {
    loop.reset();
  }

  /**
   * Forwards without a delay. Connections that were {@linkplain #cut cut} are gone, and those that
   * met a {@linkplain #silence silence} stay silent: the network has forgotten them.
   */
  public void restore() {
    loop.restore();
  }

  /** How many connections were accepted in silence. */
  public int unanswered() {
    return loop.unanswered();
  }

  /**
   * Resets the open connections, frees the port and ends the thread.
   *
   * @throws IllegalStateException when an error had ended the proxy before
   */
  @Override
  public void close() {
    loop.close();
  }

  @Override
  public String toString() {
    return "TcpProxy[%s:%d to %s]".formatted(host(), port(), server);
  }
}
