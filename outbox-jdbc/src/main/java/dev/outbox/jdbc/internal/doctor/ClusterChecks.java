package dev.outbox.jdbc.internal.doctor;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.doctor.base.ResultRow;
import dev.outbox.spi.cluster.ClusterBeat.Shape;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What every database is asked of the other clusters, where there are several. */
final class ClusterChecks {
  private ClusterChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("the layout of the other clusters", Check.NOTHING, ClusterChecks::shapes)
            .forRelays());
  }

  private static List<Finding> shapes(ExaminedDatabase examinedDatabase) throws SQLException {
    Map<Long, Shape> last = new TreeMap<>();
    for (ResultRow resultRow :
        examinedDatabase.rows(
            "SELECT cluster_id, beat, lanes, clusters FROM {beat} ORDER BY beat")) {
      last.put(
          resultRow.number("cluster_id"),
          new Shape(
              Math.toIntExact(resultRow.number("lanes")),
              Math.toIntExact(resultRow.number("clusters"))));
    }
    Shape mine = Shape.of(examinedDatabase.layout());
    List<Finding> findings = new ArrayList<>();
    last.forEach(
        (cluster, shape) ->
            findings.addAll(
                FindingCode.CLUSTERS_DIFFER.when(
                    !shape.equals(mine),
                    "cluster %d has %s, these tables have %s: lanes of one would be taken for another's. Make the tables of all clusters with the same; or, when that cluster is gone for good: DELETE FROM %s WHERE cluster_id = %s;"
                        .formatted(
                            cluster,
                            shape,
                            mine,
                            examinedDatabase.tables().name("beat"),
                            cluster))));
    return findings;
  }
}
