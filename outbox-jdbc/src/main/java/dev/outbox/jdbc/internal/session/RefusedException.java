package dev.outbox.jdbc.internal.session;

import java.sql.SQLException;

/** Carries a database error out of code that may not throw it; the session tells it. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RefusedException(SQLException refusal) {
    super(refusal);
  }
}
