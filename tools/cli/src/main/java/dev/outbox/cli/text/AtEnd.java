package dev.outbox.cli.text;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this process does at its end, also after Ctrl-C. */
final class AtEnd {
  private static final Logger log = LoggerFactory.getLogger(AtEnd.class);

  private AtEnd() {}

  /** It is not needed any more; at the end of the process it is too late to say so. */
  static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      log.debug("the process ends, {} runs", hook.getName(), e);
    }
  }
}
