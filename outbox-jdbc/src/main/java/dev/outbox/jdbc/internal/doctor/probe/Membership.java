package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.doctor.base.Patient;
import dev.outbox.jdbc.internal.doctor.base.Row;
import dev.outbox.jdbc.internal.doctor.base.Symptom;
import dev.outbox.store.Finding;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Whether a server of MySQL's kind is a member of a cluster whose other members may write too: it
 * shows the open transactions of its own clients only, and ids of other members come out of order.
 *
 * <p>Needs no right; where it cannot know it says nothing. Stateless.
 */
final class Membership {
  private static final String DECLARE =
      "it shows who writes through it and nobody else, and ids of other nodes come out of order: messages would be late or overtake each other. If all writers and relays of these tables use this one node, declare it with JdbcStore.builder(..).oneNode(); else move the tables to a server of their own";

  private static final Set<String> LEFT = Set.of("", "offline", "error");

  private Membership() {}

  static List<Finding> ofGalera(Patient patient) throws SQLException {
    List<Row> rows =
        patient.rows("SHOW GLOBAL VARIABLES WHERE variable_name IN ('wsrep_on', 'wsrep_provider')");
    boolean on =
        rows.stream()
            .anyMatch(row -> row.text("variable_name").equals("wsrep_on") && row.is("value"));
    boolean alone =
        rows.stream()
            .filter(row -> row.text("variable_name").equals("wsrep_provider"))
            .anyMatch(row -> row.text("value").equals("none"));
    return Symptom.GALERA.when(
        on && !alone && !patient.usesOneNode(),
        "the server is a node of a Galera cluster (wsrep_on): " + DECLARE);
  }

  static List<Finding> ofGroup(Patient patient) throws SQLException {
    return Symptom.GROUP_REPLICATION.when(
        !patient.usesOneNode() && hasGroup(patient) && isMember(patient),
        "the server is a member of Group Replication: " + DECLARE);
  }

  private static boolean hasGroup(Patient patient) throws SQLException {
    return isSet(patient, "SHOW GLOBAL VARIABLES LIKE 'group_replication_group_name'");
  }

  private static boolean isMember(Patient patient) throws SQLException {
    try {
      return patient
          .rows(
              """
              SELECT member_state AS state
              FROM performance_schema.replication_group_members
              WHERE member_id = @@server_uuid
              """)
          .stream()
          .anyMatch(row -> !LEFT.contains(row.text("state").toLowerCase(Locale.ROOT)));
    } catch (SQLException e) {
      if (patient.dialect().faults().of(e) != Fault.DENIED) {
        throw e;
      }
      // told to everybody, but by a group with one primary only
      return isSet(patient, "SHOW GLOBAL STATUS LIKE 'group_replication_primary_member'");
    }
  }

  private static boolean isSet(Patient patient, String show) throws SQLException {
    return patient.rows(show).stream().anyMatch(row -> !row.text("value").isEmpty());
  }
}
