package dev.outbox.internal.relay.base;

import java.util.concurrent.Executor;

/**
 * Where publishers run.
 *
 * <p>Safe for use by many threads.
 */
@FunctionalInterface
public interface PublishThreads extends Executor {
  /** As {@link #execute}, where nothing else is in flight: the loop's own thread will do. */
  default void executeAlone(Runnable task) {
    execute(task);
  }

  /** That many of the threads are stuck: others may take their place. */
  default void standInFor(int stuck) {}
}
