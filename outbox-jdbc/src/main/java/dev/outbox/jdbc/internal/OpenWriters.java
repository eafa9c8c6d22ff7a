package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.dialect.WritersSql;
import dev.outbox.store.Writers;
import java.util.HashSet;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Asks who may still commit a ready message; where the privilege for it is missing, once.
 *
 * <p>Used by one thread.
 */
final class OpenWriters {
  private final Sql sql;
  private boolean untold;

  OpenWriters(Sql sql) {
    this.sql = sql;
    this.untold = sql.dialect().writers() instanceof WritersSql.Untold;
  }

  /** True when asking is of no use. */
  boolean isUntold() {
    return untold;
  }

  Writers ask(Handle handle) {
    WritersSql.Told told = (WritersSql.Told) sql.dialect().writers();
    try {
      return new Writers.Known(
          new HashSet<>(
              sql.query(handle, told.sql(), Map.of(), (row, context) -> row.getString("name"))),
          told.lag());
    } catch (RuntimeException e) {
      if (!isRefused(e)) {
        throw e;
      }
      untold = true;
      return new Writers.Unknown();
    }
  }

  // Oracle says of a view without a grant that it does not exist
  private boolean isRefused(RuntimeException e) {
    Faults faults = Faults.behind(e, sql.dialect());
    return faults != null && (faults.fault() == Fault.DENIED || faults.fault() == Fault.MISSING);
  }
}
