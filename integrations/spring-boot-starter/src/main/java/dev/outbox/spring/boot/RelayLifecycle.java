package dev.outbox.spring.boot;

import dev.outbox.Relay;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the relay before the web server and closes it after the web server has finished its
 * requests, while the pool and the broker's client are still open.
 *
 * <p>Safe for use by many threads.
 */
public final class RelayLifecycle implements SmartLifecycle, DisposableBean {
  /** Below the web server, which stops in two phases: its requests, then itself. */
  public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 3072;

  private final Supplier<Optional<Relay.Builder>> settings;
  private volatile @Nullable Relay relay;

  /** A relay of these settings, made for each start; empty where none runs. */
  public RelayLifecycle(Supplier<Optional<Relay.Builder>> settings) {
    this.settings = settings;
  }

  /** The relay, while it runs. */
  public Optional<Relay> relay() {
    return Optional.ofNullable(relay);
  }

  @Override
  public synchronized void start() {
    if (relay == null) {
      relay = settings.get().map(Relay.Builder::start).orElse(null);
    }
  }

  @Override
  public synchronized void stop() {
    Relay running = relay;
    if (running != null) {
      relay = null;
      running.close();
    }
  }

  /**
   * Closes the relay on a new thread, so that the relays of several databases close at the same
   * time. Spring waits for that as long as {@code spring.lifecycle.timeout-per-shutdown-phase}
   * says, and {@link #destroy} until it is done.
   */
  @Override
  public void stop(Runnable callback) {
    Runnable close =
        () -> {
          try {
            stop();
          } finally {
            callback.run();
          }
        };
    new Thread(close, "outbox-relay-close").start();
  }

  /** As {@link #stop}: a context that fails in its last step stops nothing. */
  @Override
  public void destroy() {
    stop();
  }

  @Override
  public boolean isRunning() {
    return relay != null;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
