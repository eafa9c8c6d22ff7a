package dev.outbox.internal.operate;

/** Numbers that a caller gives. */
public final class Counts {
  private Counts() {}

  /**
   * The {@code value}.
   *
   * @throws IllegalArgumentException when it is below 1
   */
  public static int atLeastOne(String argument, int value) {
    return Math.toIntExact(atLeastOne(argument, (long) value));
  }

  /** As {@link #atLeastOne(String, int)}. */
  public static long atLeastOne(String argument, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(argument + " is " + value + ", the least is 1");
    }
    return value;
  }
}
