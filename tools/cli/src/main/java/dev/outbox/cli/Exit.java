package dev.outbox.cli;

/** What the exit codes mean; {@code outbox --help} lists them. */
public final class Exit {
  /** Done, or nothing is wrong. */
  public static final int DONE = 0;

  /** Something is wrong, or what was looked for is not there. */
  public static final int FOUND = 1;

  /** The call is wrong. */
  public static final int USAGE = 2;

  /** The database does not answer, or refuses. */
  public static final int DATABASE = 3;

  /** Nobody confirmed. */
  public static final int UNCONFIRMED = 4;

  /** This program has a defect. */
  public static final int DEFECT = 5;

  /** Ctrl-C, as shells have it. */
  public static final int STOPPED = 130;

  private Exit() {}
}
