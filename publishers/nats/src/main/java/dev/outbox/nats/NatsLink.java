package dev.outbox.nats;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the server, renewed when it is next needed after it was lost.
 *
 * <p>A lost connection answers whatever is on its way, and nothing of it is sent later. So it is
 * not left to the client to connect again: that keeps what it has not yet written.
 *
 * <p>Safe for use by many threads.
 */
final class NatsLink implements AutoCloseable {
  private static final long LEAST_REST = TimeUnit.MILLISECONDS.toNanos(100);

  private final @Nullable Options options;
  private volatile @Nullable Open open;
  private @Nullable Outage outage;
  private boolean closed;

  /** A connection, and what publishes on it. */
  record Open(Connection connection, JetStream jetStream) {
    static Open on(Connection connection) throws IOException {
      return new Open(connection, connection.jetStream());
    }

    boolean isConnected() {
      return connection.getStatus() == Connection.Status.CONNECTED;
    }

    /** The last error that the server reported on its own account; empty for none. */
    String serverSaid() {
      return Objects.requireNonNullElse(connection.getLastError(), "");
    }
  }

  /** No thread tries again until then. */
  private record Outage(Exception why, long until) {}

  private NatsLink(@Nullable Options options, @Nullable Open open) {
    this.options = options;
    this.open = open;
  }

  /** With its own connections. */
  static NatsLink own(Options options) {
    return new NatsLink(options, null);
  }

  /** On a connection of the application, which renews and closes it. */
  static NatsLink on(Connection given) throws IOException {
    return new NatsLink(null, Open.on(given));
  }

  /** The connection, made if there is none. */
  Open connected() throws Exception {
    Open there = open;
    return there != null && there.isConnected() ? there : renewed();
  }

  private synchronized Open renewed() throws Exception {
    if (closed) {
      throw new NatsErrors.NotNow("this publisher is closed");
    }
    Open there = open;
    if (there != null && there.isConnected()) {
      return there;
    }
    if (options == null) {
      Open given = Objects.requireNonNull(there, "a connection that was given, until the close");
      throw new NatsErrors.NotNow(
          "the connection that was given is " + given.connection().getStatus());
    }
    if (outage != null && outage.until() - System.nanoTime() > 0) {
      throw outage.why();
    }
    long begun = System.nanoTime();
    try {
      if (there != null) {
        open = null;
        there.connection().close();
      }
      Open fresh = Open.on(Nats.connect(options));
      open = fresh;
      return fresh;
    } catch (IOException | RuntimeException e) {
      long end = System.nanoTime();
      outage = new Outage(e, end + Math.max(end - begun, LEAST_REST));
      throw e;
    }
  }

  /** Closes what it has opened; what is on its way is answered. A second call does nothing. */
  @Override
  public synchronized void close() {
    closed = true;
    Open there = open;
    open = null;
    if (there == null || options == null) {
      return;
    }
    try {
      there.connection().close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
