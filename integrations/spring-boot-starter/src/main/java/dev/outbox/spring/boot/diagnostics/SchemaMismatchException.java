package dev.outbox.spring.boot.diagnostics;

import java.util.List;

/** The tables are not as this version needs them. */
public final class SchemaMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** That these differ, each in words. */
  public SchemaMismatchException(List<String> wrongs) {
    super(
        "outbox.schema.initialize is 'validate', and the tables differ from what is set:\n  - "
            + String.join("\n  - ", wrongs));
  }
}
