package dev.outbox.jdbc.internal.doctor.base;

import dev.outbox.OutboxException.Finding;
import dev.outbox.OutboxException.Finding.Severity;
import java.util.List;
import java.util.Locale;

/** All that the doctor can find. The code of a finding is its name here in kebab-case. */
public enum FindingCode {
  PRODUCT_UNSUPPORTED(Severity.FAILURE),
  POOL_TOO_SMALL(Severity.FAILURE),
  SESSIONS_SHARED(Severity.FAILURE),
  AUTOCOMMIT_FORCED(Severity.FAILURE),
  LENT_IN_TRANSACTION(Severity.FAILURE),
  ISOLATION_FORCED(Severity.FAILURE),
  READ_ONLY(Severity.FAILURE),
  TABLES_WRONG(Severity.FAILURE),
  SCHEMA_VERSION(Severity.FAILURE),
  LAYOUT_CHANGED(Severity.FAILURE),
  LANES_WRONG(Severity.FAILURE),
  LANE_UNKNOWN(Severity.FAILURE),
  GRANTS_MISSING(Severity.FAILURE),
  ROWS_HIDDEN(Severity.FAILURE),
  TABLES_UNLOGGED(Severity.FAILURE),
  ENGINE_NOT_INNODB(Severity.FAILURE),
  TIME_PRECISION(Severity.FAILURE),
  COLLATION_NOT_BINARY(Severity.FAILURE),
  ENCODING_NOT_UTF8(Severity.FAILURE),
  IDS_OUT_OF_ORDER(Severity.FAILURE),
  IDS_BEHIND(Severity.FAILURE),
  CLUSTERS_DIFFER(Severity.FAILURE),
  GALERA(Severity.FAILURE),
  GROUP_REPLICATION(Severity.FAILURE),
  BINLOG_STATEMENT(Severity.FAILURE),
  LIMITS_FORCED(Severity.FAILURE),
  CAPTURE_AND_RELAY(Severity.FAILURE),
  CAPTURE_LOG(Severity.FAILURE),
  CAPTURE_SLOT(Severity.FAILURE),
  CAPTURE_PUBLICATION(Severity.FAILURE),
  CAPTURE_IDENTITY(Severity.FAILURE),
  POOL_EMPTIED(Severity.WARNING),
  TIMEOUT_SHORT(Severity.WARNING),
  NETWORK_TIMEOUT_MISSING(Severity.WARNING),
  DRIVER_WITHOUT_TIMEOUTS(Severity.WARNING),
  IDLE_LIMIT_MISSING(Severity.WARNING),
  PROCESS_MISSING(Severity.WARNING),
  LOCKS_HIDDEN(Severity.WARNING),
  COMMITS_NOT_DURABLE(Severity.WARNING),
  SNAPSHOT_ISOLATION(Severity.WARNING),
  PACKET_SMALL(Severity.WARNING),
  INITRANS_LOW(Severity.WARNING),
  CLOCK_OFFSET(Severity.WARNING),
  CAPTURE_WAITING(Severity.WARNING),
  CAPTURE_SLOT_BEHIND(Severity.WARNING),
  CAPTURE_DELETES(Severity.WARNING),
  CANNOT_CHECK(Severity.WARNING);

  private final Severity severity;

  FindingCode(Severity severity) {
    this.severity = severity;
  }

  public Severity severity() {
    return severity;
  }

  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public Finding finding(String text) {
    return new Finding(severity, code(), text);
  }

  /** The finding where it refuses no start. */
  public Finding warning(String text) {
    return new Finding(Severity.WARNING, code(), text);
  }

  /** The finding alone when {@code seen}, else nothing. */
  public List<Finding> when(boolean seen, String text) {
    return seen ? List.of(finding(text)) : List.of();
  }

  public static Finding lentInTransaction() {
    return LENT_IN_TRANSACTION.finding(
        "a connection says autocommit is on, yet it was lent inside a transaction. Remove BEGIN from"
            + " the pool's init SQL, and return connections only after COMMIT or ROLLBACK");
  }

  /** When the database acknowledges commits before they are on disk. */
  public static List<Finding> notDurable(
      boolean seen, String setting, Object value, String remedy) {
    return COMMITS_NOT_DURABLE.when(
        seen,
        "%s is %s: a crash may undo commits that the database has acknowledged. So a message may be published whose transaction is lost, and one that was published may be published again. %s"
            .formatted(setting, value, remedy));
  }

  public static Finding readOnly() {
    return READ_ONLY.finding(
        "the database refuses to write: it is a standby or replica, or set to read only. Point the"
            + " data source at the primary; for PostgreSQL add targetServerType=primary to the URL");
  }
}
