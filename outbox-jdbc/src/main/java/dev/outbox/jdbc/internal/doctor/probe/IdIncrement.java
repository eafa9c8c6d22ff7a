package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.spi.Layout;
import java.sql.SQLException;
import java.util.List;

/** The steps of the ids, where a server counts them for all its tables alike. */
final class IdIncrement {
  private IdIncrement() {}

  /** {@code set} is how an administrator changes a setting. */
  static Check check(String set) {
    return new Check(
        "the steps of the ids",
        examinedDatabase -> alone(examinedDatabase, set),
        IdIncrement::amongPeers);
  }

  private static long step(ExaminedDatabase examinedDatabase) throws SQLException {
    return examinedDatabase.row("SELECT @@auto_increment_increment AS step").number("step");
  }

  private static List<Finding> alone(ExaminedDatabase examinedDatabase, String set)
      throws SQLException {
    long step = step(examinedDatabase);
    return FindingCode.IDS_OUT_OF_ORDER.when(
        step > 1 && !examinedDatabase.usesOneNode(),
        "auto_increment_increment is %d, a setting for several servers that write: their ids do not grow together, so messages of a key overtake each other. Write to one server only, and run: %s auto_increment_increment = 1;"
            .formatted(step, set));
  }

  private static List<Finding> amongPeers(ExaminedDatabase examinedDatabase) throws SQLException {
    long step = step(examinedDatabase);
    Layout layout = examinedDatabase.layout();
    long start = examinedDatabase.row("SELECT @@auto_increment_offset AS start").number("start");
    int wanted = layout.cluster() + 1;
    return FindingCode.IDS_OUT_OF_ORDER.when(
        step != layout.clusters() || start != wanted,
        "auto_increment_increment is %d and auto_increment_offset %d; cluster %d of %d needs %d and %d, or its ids are those of other clusters and replication stops. Set both in the server's configuration and reconnect"
            .formatted(
                step, start, layout.cluster(), layout.clusters(), layout.clusters(), wanted));
  }
}
