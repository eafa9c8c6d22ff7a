package dev.outbox.cli;

/** A command ends here, with a sentence for the person who called it and an exit code. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exit;

  public Refusal(int exit, String sentence) {
    super(sentence);
    this.exit = exit;
  }

  int exit() {
    return exit;
  }
}
