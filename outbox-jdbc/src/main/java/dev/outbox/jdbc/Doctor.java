package dev.outbox.jdbc;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.Examination;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.spi.Layout;
import dev.outbox.spi.Usage;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Looks at a database for what would break or slow the outbox, and says how to heal it. Changes
 * nothing; answers within about ten seconds.
 *
 * <p>Safe for use by many threads.
 */
final class Doctor {
  private final Examination examination;

  Doctor(DataSource dataSource, Tables tables, Layout layout, InstantSource clock) {
    this(new Examination(dataSource, tables, layout, clock));
  }

  private Doctor(Examination examination) {
    this.examination = examination;
  }

  /** The same where all writers and relays use one node of a cluster of servers. */
  Doctor onOneNode() {
    return new Doctor(examination.onOneNode());
  }

  /** The findings, and before them that delivered messages are to be kept and cannot be. */
  static List<Finding> withoutArchive(List<Finding> findings, Sql sql) {
    List<Finding> all = new ArrayList<>();
    all.add(
        new Finding(
            Finding.Severity.FAILURE,
            FindingCode.TABLES_WRONG.code(),
            "the store is built with archive(), but table %s is missing. Run Schema.builder(dataSource).with(Schema.Part.ARCHIVE).create(), or apply dev/outbox/jdbc/ddl/%s/archive.sql of the jar"
                .formatted(sql.tables().name("archive"), sql.dialect().name())));
    all.addAll(findings);
    return all;
  }

  /** Whether a relay's connections keep their sessions, by the findings for a relay. */
  static boolean sawSessionsKept(List<Finding> findings) {
    return findings.stream()
        .map(Finding::code)
        .noneMatch(
            code ->
                code.equals(FindingCode.SESSIONS_SHARED.code())
                    || code.equals(FindingCode.POOL_TOO_SMALL.code())
                    || code.equals(FindingCode.PRODUCT_UNSUPPORTED.code()));
  }

  /**
   * What is wrong for {@code usage}, worst first.
   *
   * @throws dev.outbox.StoreException when there is no connection, or it breaks
   */
  List<Finding> examine(Usage usage) {
    return examination.findings(usage);
  }
}
