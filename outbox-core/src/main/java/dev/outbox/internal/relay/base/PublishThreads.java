package dev.outbox.internal.relay.base;

import java.util.concurrent.Executor;

/**
 * Where publishers run.
 *
 * <p>Safe for use by many threads.
 */
@FunctionalInterface
public interface PublishThreads extends Executor {
  /** That many of the threads are stuck: others may take their place. */
  default void standInFor(int stuck) {}
}
