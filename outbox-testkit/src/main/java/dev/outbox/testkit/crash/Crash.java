package dev.outbox.testkit.crash;

/**
 * Unwinds the stack of a writer or relay that has been dropped. An error, because nothing may catch
 * it and go on: a dead process writes nothing more.
 */
public final class Crash extends Error {
  private static final long serialVersionUID = 1L;

  /** Of {@code who}, for this reason. */
  public Crash(String who, String why) {
    super(who + " is dead: " + why, null, false, false);
  }
}
