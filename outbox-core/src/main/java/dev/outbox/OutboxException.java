package dev.outbox;

import dev.outbox.store.Finding;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The doctor refused a start: something about the database or the settings cannot work. The message
 * lists every finding with its remedy.
 */
public final class OutboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Finding> findings;

  OutboxException(String what, List<Finding> findings) {
    super(
        what + findings.stream().map(finding -> "\n  - " + finding).collect(Collectors.joining()));
    this.findings = List.copyOf(findings);
  }

  /** What was found, worst first. */
  public List<Finding> findings() {
    return findings;
  }
}
