package dev.outbox.store;

/**
 * Something that the doctor found, with the remedy in its text.
 *
 * <p>Immutable. {@code code} is stable, for tests and alerts.
 */
public record Finding(Severity severity, String code, String text) {
  /** How bad it is. */
  public enum Severity {
    /** It cannot work: the start is refused. */
    FAILURE,
    /** It works, but worse than it should. */
    WARNING
  }

  @Override
  public String toString() {
    return code + ": " + text;
  }
}
