package dev.outbox.jdbc.internal;

import java.sql.SQLException;

/** Carries a database error out of code that may not throw it; the session tells it. */
final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RefusedException(SQLException refusal) {
    super(refusal);
  }
}
