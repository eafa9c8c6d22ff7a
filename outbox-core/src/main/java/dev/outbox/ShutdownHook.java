package dev.outbox;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done when the JVM shuts down; forgotten once it was done before. */
final class ShutdownHook {
  private static final Logger log = LoggerFactory.getLogger(ShutdownHook.class);
  static final ShutdownHook NONE = new ShutdownHook(null);

  private final @Nullable Thread thread;

  private ShutdownHook(@Nullable Thread thread) {
    this.thread = thread;
  }

  static ShutdownHook of(String relay, Runnable close) {
    Thread thread = new Thread(close, "outbox-" + relay + "-shutdown");
    Runtime.getRuntime().addShutdownHook(thread);
    return new ShutdownHook(thread);
  }

  /** Nothing is left to do. */
  void forget() {
    if (thread == null || Thread.currentThread() == thread) {
      return;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException shuttingDown) {
      log.debug("the JVM is shutting down", shuttingDown);
    }
  }
}
