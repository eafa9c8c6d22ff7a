package dev.outbox.spring.boot.autoconfigure;

import java.util.List;

/** The tables are not as this version needs them. */
final class SchemaMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SchemaMismatchException(List<String> wrongs) {
    super(
        "outbox.schema.initialize is 'validate', and the tables differ from what is set:\n  - "
            + String.join("\n  - ", wrongs));
  }
}
