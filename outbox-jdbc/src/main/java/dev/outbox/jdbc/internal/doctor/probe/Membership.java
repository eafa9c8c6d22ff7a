package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.doctor.base.ResultRow;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Whether a server of MySQL's kind is a member of a cluster whose other members may write too: it
 * shows the open its own transactions clients only, and ids of other members come out of order.
 *
 * <p>Needs no right; where it cannot know it says nothing. Stateless.
 */
final class Membership {
  private static final String DECLARE =
      "it shows the transactions of its own clients only, and ids of different nodes are not in the order of commits: messages would be late or overtake each other. If all writers and relays of these tables use this one node, declare it with JdbcStore.builder(..).oneNode(); else move the tables to their own server";

  private static final Set<String> LEFT = Set.of("", "offline", "error");

  private Membership() {}

  static List<Finding> ofGalera(ExaminedDatabase examinedDatabase) throws SQLException {
    List<ResultRow> resultRows =
        examinedDatabase.rows(
            "SHOW GLOBAL VARIABLES WHERE variable_name IN ('wsrep_on', 'wsrep_provider')");
    boolean on =
        resultRows.stream()
            .anyMatch(
                resultRow ->
                    resultRow.text("variable_name").equals("wsrep_on") && resultRow.is("value"));
    boolean alone =
        resultRows.stream()
            .filter(resultRow -> resultRow.text("variable_name").equals("wsrep_provider"))
            .anyMatch(resultRow -> resultRow.text("value").equals("none"));
    return FindingCode.GALERA.when(
        on && !alone && !examinedDatabase.usesOneNode(),
        "the server is a node of a Galera cluster (wsrep_on): " + DECLARE);
  }

  static List<Finding> ofGroup(ExaminedDatabase examinedDatabase) throws SQLException {
    return FindingCode.GROUP_REPLICATION.when(
        !examinedDatabase.usesOneNode() && hasGroup(examinedDatabase) && isMember(examinedDatabase),
        "the server is a member of Group Replication: " + DECLARE);
  }

  private static boolean hasGroup(ExaminedDatabase examinedDatabase) throws SQLException {
    return isSet(examinedDatabase, "SHOW GLOBAL VARIABLES LIKE 'group_replication_group_name'");
  }

  private static boolean isMember(ExaminedDatabase examinedDatabase) throws SQLException {
    try {
      return examinedDatabase
          .rows(
              """
              SELECT member_state AS state
              FROM performance_schema.replication_group_members
              WHERE member_id = @@server_uuid
              """)
          .stream()
          .anyMatch(resultRow -> !LEFT.contains(resultRow.text("state").toLowerCase(Locale.ROOT)));
    } catch (SQLException e) {
      if (examinedDatabase.dialect().faults().of(e) != Fault.DENIED) {
        throw e;
      }
      // told to everybody, but by a group with one primary only
      return isSet(examinedDatabase, "SHOW GLOBAL STATUS LIKE 'group_replication_primary_member'");
    }
  }

  private static boolean isSet(ExaminedDatabase examinedDatabase, String show) throws SQLException {
    return examinedDatabase.rows(show).stream()
        .anyMatch(resultRow -> !resultRow.text("value").isEmpty());
  }
}
