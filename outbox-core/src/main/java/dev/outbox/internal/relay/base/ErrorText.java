package dev.outbox.internal.relay.base;

import dev.outbox.internal.text.Causes;

/** What an exception says, as a text that any column can hold. */
public final class ErrorText {
  private static final int LONGEST = 1000;

  private ErrorText() {}

  /** The exception's class and message, and those of its causes, in one text. */
  public static String of(Throwable cause) {
    return cut(Causes.of(cause));
  }

  /** Cut to the longest length, and free of what a text column cannot hold. */
  public static String cut(String text) {
    String part = text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    return part.replace('\0', ' ').replaceAll("[\\ud800-\\udfff]", "?");
  }
}
