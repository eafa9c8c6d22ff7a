package dev.outbox.internal.text;

import org.jspecify.annotations.Nullable;

/** What an exception says, and what is behind it: often only the last cause has the reason. */
public final class Causes {
  private static final int MOST = 8;

  /** So that a long text, as the body of a response, leaves room for the causes. */
  private static final int LONGEST = 500;

  private Causes() {}

  /** Class and message, then those of its causes. */
  public static String of(Throwable thrown) {
    return behind(thrown, text(thrown));
  }

  /** {@code said}, then each cause of {@code thrown} that it does not name. */
  public static String behind(Throwable thrown, String said) {
    Throwable cause = causeOf(thrown);
    StringBuilder all = new StringBuilder(cause == null ? said : cut(said));
    for (int i = 0; cause != null && i < MOST; i++) {
      String text = cut(text(cause));
      if (all.indexOf(text) < 0) {
        all.append("; caused by ").append(text);
      }
      cause = causeOf(cause);
    }
    return all.toString();
  }

  private static String text(Throwable thrown) {
    String name = thrown.getClass().getName();
    try {
      String message = thrown.getMessage();
      return message == null ? name : name + ": " + message;
    } catch (Throwable unreadable) { // the user's exception must not end the relay
      return name + ": its message could not be read: " + unreadable.getClass().getName();
    }
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }

  private static @Nullable Throwable causeOf(Throwable thrown) {
    try {
      return thrown.getCause();
    } catch (Throwable unreadable) {
      return null;
    }
  }
}
