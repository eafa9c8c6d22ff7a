package dev.outbox.jdbc.dialect;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A database's error codes: vendor codes first, then whole SQLStates, then what the standard says
 * of their classes.
 */
public record FaultCodes(Map<Integer, Fault> codes, Map<String, Fault> states) {
  /** What {@code refusal} means. */
  public Fault of(SQLException refusal) {
    Fault byCode = codes.get(refusal.getErrorCode());
    if (byCode != null) {
      return byCode;
    }
    String state = refusal.getSQLState();
    Fault byState = state == null ? null : states.get(state);
    Fault fault = byState != null ? byState : byClass(state, refusal);
    return fault == Fault.REFUSED && saysNothing(state) && wasCutOff(refusal)
        ? Fault.CONNECTION
        : fault;
  }

  private static boolean saysNothing(@Nullable String state) {
    return state == null || state.equals("S1000") || state.equals("HY000");
  }

  /** True when the answer ended before its end, which MySQL's driver says by no state or class. */
  private static boolean wasCutOff(SQLException refusal) {
    Throwable cause = refusal.getCause();
    while (cause != null && !(cause instanceof SQLException) && !(cause instanceof IOException)) {
      cause = cause.getCause();
    }
    return cause instanceof IOException;
  }

  private static Fault byClass(@Nullable String state, SQLException refusal) {
    if (state != null && state.startsWith("45")) {
      return Fault.REFUSED; // by a trigger, which MariaDB's driver takes for a lost connection
    }
    if (refusal instanceof SQLTimeoutException) {
      return Fault.PASSING;
    }
    if (refusal instanceof SQLRecoverableException
        || refusal instanceof SQLNonTransientConnectionException
        || (state != null && state.startsWith("08"))) {
      return Fault.CONNECTION;
    }
    if (refusal instanceof SQLTransientException || (state != null && state.startsWith("53"))) {
      return Fault.PASSING;
    }
    if (state != null && state.equals("23505")) {
      return Fault.DUPLICATE;
    }
    return state != null && state.equals("40001") ? Fault.RETRY : Fault.REFUSED;
  }
}
