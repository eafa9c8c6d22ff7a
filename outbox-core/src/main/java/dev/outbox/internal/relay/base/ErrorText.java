package dev.outbox.internal.relay.base;

import org.jspecify.annotations.Nullable;

/** What an exception says, as a text that any column can hold. */
public final class ErrorText {
  private static final int LONGEST = 1000;

  private ErrorText() {}

  /** The exception's class and message in one text. */
  public static String of(Throwable cause) {
    String message = messageOf(cause);
    return cut(
        message == null ? cause.getClass().getName() : cause.getClass().getName() + ": " + message);
  }

  private static @Nullable String messageOf(Throwable cause) {
    try {
      return cause.getMessage();
    } catch (Throwable thrown) { // the user's exception must not end the relay
      return "its message could not be read: " + thrown.getClass().getName();
    }
  }

  /** Cut to the longest length, and free of what a text column cannot hold. */
  public static String cut(String text) {
    String part = text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    return part.replace('\0', ' ').replaceAll("[\\ud800-\\udfff]", "?");
  }
}
