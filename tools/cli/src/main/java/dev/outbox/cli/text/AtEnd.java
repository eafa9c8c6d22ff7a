package dev.outbox.cli.text;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process does at its end, also after Ctrl-C, unless it is closed before.
 *
 * <p>Used by one thread; the JVM's end runs the work in another.
 */
public final class AtEnd implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AtEnd.class);

  private final Thread hook;

  private AtEnd(Thread hook) {
    this.hook = hook;
  }

  /** Runs the work in a thread of that name when the process ends. */
  public static AtEnd of(String name, Runnable work) {
    Thread hook = new Thread(work, name);
    Runtime.getRuntime().addShutdownHook(hook);
    return new AtEnd(hook);
  }

  /** It is not needed any more; at the end of the process it is too late to say so. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      log.debug("the process ends, {} runs", hook.getName(), e);
    }
  }
}
