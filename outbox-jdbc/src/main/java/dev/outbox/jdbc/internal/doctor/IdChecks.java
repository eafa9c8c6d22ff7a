package dev.outbox.jdbc.internal.doctor;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.ids.IdCounters;
import dev.outbox.jdbc.internal.ids.IdCounters.Behind;
import dev.outbox.jdbc.internal.session.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What every database is asked about the next ids, where there is one cluster. It is a warning: a
 * relay goes on, and what it can deliver is delivered.
 */
final class IdChecks {
  private IdChecks() {}

  static List<Check> all() {
    return List.of(new Check("the next ids", IdChecks::behind, Check.NOTHING).forRelays());
  }

  private static List<Finding> behind(ExaminedDatabase examinedDatabase) throws SQLException {
    Sql sql =
        new Sql(examinedDatabase.dialect(), examinedDatabase.tables(), null)
            .at(examinedDatabase.layout());
    IdCounters counters = new IdCounters(sql, examinedDatabase.secondsLeft());
    List<Behind> behind = counters.behind(examinedDatabase.connection());
    List<Finding> findings = new ArrayList<>();
    String unreadable = String.join(", ", counters.unreadable());
    if (!unreadable.isEmpty()) {
      findings.add(
          FindingCode.CANNOT_CHECK.finding(
              "cannot see the next id of %s: ids that went back, as after a restore, are noticed late. Run as the owner: GRANT SELECT ON SEQUENCE %s TO the user of the relay;"
                  .formatted(examinedDatabase.tables().name("outbox"), unreadable)));
    }
    List<String> statements =
        Stream.concat(behind.stream().map(Behind::raise), Stream.of(counters.raiseEpochs()))
            .toList();
    for (Behind each : behind) {
      findings.add(
          FindingCode.IDS_BEHIND.warning(
              "the next id of %s is %d, but %d was given before, as after a restore or a failover: new messages get ids of old ones. %s"
                  .formatted(
                      each.table(), each.next(), each.highest(), counters.remedy(statements))));
    }
    return findings;
  }
}
