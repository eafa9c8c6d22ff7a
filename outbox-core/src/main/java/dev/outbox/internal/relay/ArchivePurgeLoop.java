package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.IdleWait;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Purges until told to stop, on its own thread: it may wait for a connection as long as it takes,
 * which the loop must not. Nothing waits for it: a relay delivers whether it purges or not.
 *
 * <p>{@link #run} belongs to one thread; the others may be called from any.
 */
final class ArchivePurgeLoop implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(ArchivePurgeLoop.class);

  private final ArchivePurge archivePurge;
  private final String relay;
  private final IdleWait wait = new IdleWait();
  private volatile boolean stopping;

  ArchivePurgeLoop(ArchivePurge archivePurge, String relay) {
    this.archivePurge = archivePurge;
    this.relay = relay;
  }

  /** For how long nothing could be purged, or null while it goes well. */
  @Nullable Duration failing() {
    return archivePurge.failing();
  }

  void stop() {
    stopping = true;
    wait.signal();
  }

  @Override
  public void run() {
    try {
      while (!stopping) {
        Duration rest = archivePurge.step();
        if (!stopping) {
          wait.await(rest);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable t) {
      archivePurge.ended();
      log.error("relay={} archive purge stopped after an internal error", relay, t);
    }
  }
}
