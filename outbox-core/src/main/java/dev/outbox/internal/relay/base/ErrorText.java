package dev.outbox.internal.relay.base;

import dev.outbox.internal.text.Causes;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an exception says, as a text that any column can hold. */
public final class ErrorText {
  private static final Logger log = LoggerFactory.getLogger(ErrorText.class);
  private static final int LONGEST = 1000;

  private ErrorText() {}

  /**
   * The exception's class and message, and those of its causes, in one text. At debug level its
   * stack trace is logged.
   */
  public static String of(Throwable cause) {
    trace(log, cause);
    return cut(Causes.of(cause));
  }

  /** Not by the logger: it reads the user's exception, which may throw. */
  static void trace(Logger log, Throwable cause) {
    if (log.isDebugEnabled()) {
      StringWriter text = new StringWriter();
      try {
        cause.printStackTrace(new PrintWriter(text));
      } catch (Throwable unreadable) {
        text.append("its stack trace could not be read: ").append(unreadable.getClass().getName());
      }
      log.debug("the stack trace of a failure: {}", text);
    }
  }

  /** Cut to the longest length, and free of what a text column cannot hold. */
  public static String cut(String text) {
    String part = text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    return part.replace('\0', ' ').replaceAll("[\\ud800-\\udfff]", "?");
  }
}
