package dev.outbox.jdbc.internal.session;

import dev.outbox.cluster.Origin;
import dev.outbox.spi.Layout;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.regex.Pattern;

/**
 * Whose tables these are, and what that makes of a dialect's text. With one cluster nothing: its
 * texts ask for no origin and have no condition on clusters.
 *
 * <p>Immutable.
 */
public record ClusterScope(int clusters, int cluster, int lanes) {
  /** Columns that say by default which cluster wrote the row. */
  private static final Pattern WRITER =
      Pattern.compile("(\\b(?:origin|cluster_id) [^,\\n]*?)DEFAULT 0");

  static final ClusterScope ONLY = new ClusterScope(1, 0, 1);

  public static ClusterScope of(Layout layout) {
    return new ClusterScope(layout.clusters(), layout.cluster(), layout.lanes());
  }

  /**
   * Fills in {@code {cluster}}, {@code {origin}}, {@code {mine}}, {@code {ours}}, {@code {own}}.
   */
  String fill(String text) {
    return text.replace("{cluster}", Integer.toString(cluster))
        .replace("{origin}", amongPeers("o.origin, "))
        .replace("{mine}", amongPeers("cluster_id = " + cluster + " AND "))
        .replace("{ours}", amongPeers(ownLanes("lane") + " AND "))
        .replace("{own}", amongPeers(" WHERE " + ownLanes("lane")));
  }

  private String amongPeers(String text) {
    return clusters > 1 ? text : "";
  }

  /**
   * Of several clusters each numbers its rows in a residue class of its own; MySQL and MariaDB have
   * that as a setting of the server.
   */
  public String fillDdl(String ddl) {
    String steps = amongPeers("START WITH " + (cluster + 1) + " INCREMENT BY " + clusters + " ");
    return WRITER
        .matcher(ddl.replace("AS IDENTITY (CACHE", "AS IDENTITY (" + steps + "CACHE"))
        .replaceAll("$1DEFAULT " + cluster);
  }

  /** The condition on {@code column} that a row is in one of this cluster's lanes. */
  String ownLanes(String column) {
    int first = cluster * lanes;
    return column + " BETWEEN " + first + " AND " + (first + lanes - 1);
  }

  /** Where {@code {origin}} is in a result; 0 where it asks for nothing. */
  public int originColumn(ResultSet rows) throws SQLException {
    return clusters > 1 ? rows.findColumn("origin") : 0;
  }

  /** What an operator does where ids went back, before the statements that do it by hand. */
  public String raisingIds() {
    return clusters > 1
        ? "Raise the ids as docs/several-clusters-restore.md says, and run "
        : "Run Schema.builder(dataSource).build().raiseIds(), or ";
  }

  /** The origin of a message in {@code lane} whose row tells {@code cluster}. */
  public Origin origin(int cluster, int lane) {
    int writer = Math.max(0, cluster);
    return Origin.of(writer, clusters > 1 ? lane / lanes : writer);
  }
}
