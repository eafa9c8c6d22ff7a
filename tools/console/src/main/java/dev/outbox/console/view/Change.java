package dev.outbox.console.view;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of what people changed: one line each, with who and what. */
public final class Change {
  private static final Logger log = LoggerFactory.getLogger("dev.outbox.console.Changes");

  private Change() {}

  static void log(String who, String what) {
    log.info("console: who={} what={}", oneLine(who), oneLine(what));
  }

  /** Names of topics and keys must not look like lines of their own. */
  private static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}\u0080-\u009f\u2028\u2029]", "?");
  }
}
