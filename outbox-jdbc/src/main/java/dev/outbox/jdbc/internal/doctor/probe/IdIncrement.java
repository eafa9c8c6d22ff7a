package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.spi.Layout;
import java.sql.SQLException;
import java.util.List;

/** The ids of several clusters, where a server counts them for all its tables alike. */
final class IdIncrement {
  private IdIncrement() {}

  static List<Finding> of(ExaminedDatabase examinedDatabase, long step) throws SQLException {
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
