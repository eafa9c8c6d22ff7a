package dev.outbox;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An outbox, a relay or an inbox cannot do what it was asked to do.
 *
 * <p>When the doctor refused a start, {@link #findings} names what about the database or the
 * settings cannot work; the message lists each with its remedy.
 *
 * <pre>{@code
 * try {
 *   Relay.builder(store, publisher).start();
 * } catch (OutboxException e) {
 *   e.findings().forEach(finding -> System.err.println(finding.code() + " " + finding.text()));
 * }
 * }</pre>
 */
public class OutboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Finding> findings;

  OutboxException(String what, List<Finding> findings) {
    super(
        what + findings.stream().map(finding -> "\n  - " + finding).collect(Collectors.joining()));
    this.findings = List.copyOf(findings);
  }

  OutboxException(String message, @Nullable Throwable cause) {
    super(message, cause);
    this.findings = List.of();
  }

  /** What the doctor found, worst first; empty when it did not refuse. */
  public List<Finding> findings() {
    return findings;
  }

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
}
