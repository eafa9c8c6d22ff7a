package dev.outbox.jdbc.proof;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;

/**
 * Tells a pool which errors end a connection. Without it the pool lends H2's broken connections
 * again, since it does not know H2's SQLStates, for as long as somebody asks every half second.
 * Stateless.
 */
public final class BrokenConnections implements SQLExceptionOverride {
  @java.lang.Override
  public Override adjudicate(SQLException exception) {
    return exception instanceof SQLNonTransientConnectionException
        ? Override.MUST_EVICT
        : Override.CONTINUE_EVICT;
  }
}
