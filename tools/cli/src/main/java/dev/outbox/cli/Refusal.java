package dev.outbox.cli;

import org.jspecify.annotations.Nullable;

/** A command ends here, with a sentence for the person who called it and an exit code. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exit;

  public Refusal(int exit, String sentence) {
    super(sentence);
    this.exit = exit;
  }

  /** Refuses an option's number that is below 1; null is none. */
  public static void ofLess(String option, @Nullable Number number, String remedy) {
    if (number != null && number.longValue() < 1) {
      throw new Refusal(
          Exit.USAGE, "%s is %s, the minimum is 1; %s".formatted(option, number, remedy));
    }
  }

  /** Refuses an option's number that is not {@code least} to {@code most}. */
  public static void ofOther(String option, int number, int least, int most, String remedy) {
    if (number < least || number > most) {
      throw new Refusal(
          Exit.USAGE,
          "%s is %d, it must be %d to %d; %s".formatted(option, number, least, most, remedy));
    }
  }

  int exit() {
    return exit;
  }
}
