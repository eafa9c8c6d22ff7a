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
      throw new IllegalArgumentException(argument + " is " + value + ", the minimum is 1");
    }
    return value;
  }

  /**
   * The {@code size} of a page.
   *
   * @throws IllegalArgumentException when it is not 1 to {@code most}
   */
  public static int ofPage(String argument, int size, int most) {
    if (size < 1 || size > most) {
      throw new IllegalArgumentException(argument + " is " + size + ", it must be 1 to " + most);
    }
    return size;
  }
}
