package dev.outbox.benchmarks.contender;

/**
 * What a contender is told before it starts to move messages.
 *
 * <p>Immutable.
 */
public record Tuning(int batch, int relays) {
  /** As the library comes, with one relay. */
  public static final Tuning USUAL = new Tuning(500, 1);

  /**
   * @throws IllegalArgumentException when one of them is below 1
   */
  public Tuning {
    requireAtLeastOne("batch", batch);
    requireAtLeastOne("relays", relays);
  }

  private static void requireAtLeastOne(String what, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " is " + value + ", the minimum is 1");
    }
  }
}
