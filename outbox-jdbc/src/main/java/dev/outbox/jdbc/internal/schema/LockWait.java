package dev.outbox.jdbc.internal.schema;

import dev.outbox.jdbc.dialect.Dialect;
import java.util.List;

/**
 * Lets a statement of DDL wait 5 s for its lock: every writer that comes meanwhile waits behind it.
 * Once it has the lock it takes its time, whatever the session allows: cut, it would begin again.
 * What {@code briefly} sets holds for one transaction, or is undone by {@code asBefore}.
 *
 * <p>Immutable.
 */
record LockWait(List<String> briefly, List<String> asBefore) {
  static LockWait of(Dialect dialect) {
    return switch (dialect.name()) {
      case "postgresql" ->
          new LockWait(
              List.of("SET LOCAL lock_timeout = '5s'", "SET LOCAL statement_timeout = 0"),
              List.of());
      case "mysql" -> ofInnoDb("", "");
      case "mariadb" ->
          ofInnoDb(
              ", @outbox_time = @@SESSION.max_statement_time, SESSION max_statement_time = 0",
              ", SESSION max_statement_time = @outbox_time");
      case "h2" ->
          new LockWait(
              List.of("SET @outbox_waits = LOCK_TIMEOUT()", "SET LOCK_TIMEOUT 5000"),
              List.of("SET LOCK_TIMEOUT @outbox_waits"));
      // Oracle's DDL is refused at once, unless the session says otherwise by DDL_LOCK_TIMEOUT
      default -> new LockWait(List.of(), List.of());
    };
  }

  // at READ COMMITTED what an INSERT reads is not locked, such as slots
  private static LockWait ofInnoDb(String more, String moreAsBefore) {
    return new LockWait(
        List.of(
            "SET @outbox_waits = @@SESSION.lock_wait_timeout, @outbox_row_waits = @@SESSION.innodb_lock_wait_timeout, SESSION lock_wait_timeout = 5, SESSION innodb_lock_wait_timeout = 5"
                + more,
            "SET TRANSACTION ISOLATION LEVEL READ COMMITTED"),
        List.of(
            "SET SESSION lock_wait_timeout = @outbox_waits, SESSION innodb_lock_wait_timeout = @outbox_row_waits"
                + moreAsBefore));
  }
}
