package dev.outbox.jdbc.internal.doctor;

import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.doctor.base.Patient;
import dev.outbox.jdbc.internal.doctor.base.Rights;
import dev.outbox.jdbc.internal.doctor.base.Rights.Right;
import dev.outbox.jdbc.internal.doctor.base.Rights.Verb;
import dev.outbox.jdbc.internal.doctor.base.Symptom;
import dev.outbox.jdbc.internal.doctor.probe.Probes;
import dev.outbox.store.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tries every right that a role needs, on no row and in transactions that are rolled back.
 *
 * <p>Asking the server itself is exact whatever gives the right: a grant, a role, an ownership.
 */
record GrantCheck(Probes probes) {

  List<Finding> at(Patient patient) throws SQLException {
    if (!canRollBack(patient.connection())) {
      return List.of();
    }
    String user = patient.row(probes.user()).text("name");
    Set<String> grants = new LinkedHashSet<>();
    Set<String> absent = new LinkedHashSet<>();
    for (Right right : Rights.of(patient.need(), patient.layout().hasPeers())) {
      String table = patient.tables().name(right.table());
      Optional<Fault> fault = tried(patient, right, table);
      if (fault.filter(Fault.READ_ONLY::equals).isPresent()) {
        return List.of(Symptom.readOnly());
      }
      if (fault.isPresent()) {
        boolean denied = fault.get() == Fault.DENIED;
        (denied ? grants : absent).add(denied ? grant(right.verb(), table, user) : table);
      }
    }
    List<Finding> findings = new ArrayList<>();
    absent.forEach(table -> findings.add(TableChecks.missing(patient, table)));
    if (!grants.isEmpty()) {
      findings.add(lacking(patient, user, grants));
    }
    return findings;
  }

  // where autocommit is forced, which is a finding of its own, nothing is tried
  private static boolean canRollBack(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    boolean can = !connection.getAutoCommit();
    connection.setAutoCommit(true);
    return can;
  }

  private Optional<Fault> tried(Patient patient, Right right, String table) throws SQLException {
    Connection connection = patient.connection();
    connection.setAutoCommit(false);
    try {
      String text =
          text(right.verb()).replace("{table}", table).replace("{column}", right.column());
      if (right.verb() == Verb.SELECT || right.verb() == Verb.LOCK) {
        patient.rows(text);
      } else {
        patient.run(text, Map.of());
      }
      return Optional.empty();
    } catch (SQLException e) {
      Fault fault = patient.dialect().faults().of(e);
      if (fault == Fault.DENIED || fault == Fault.MISSING || fault == Fault.READ_ONLY) {
        return Optional.of(fault);
      }
      throw e;
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private String text(Verb verb) {
    return switch (verb) {
      case SELECT -> probes.select();
      case INSERT -> probes.insert();
      case UPDATE -> probes.update();
      case DELETE -> probes.delete();
      case LOCK -> probes.lock();
    };
  }

  private static String grant(Verb verb, String table, String user) {
    String privilege = verb == Verb.LOCK ? "UPDATE" : verb.name();
    return "GRANT " + privilege + " ON " + table + " TO " + user + ";";
  }

  private static Finding lacking(Patient patient, String user, Set<String> grants) {
    return Symptom.GRANTS_MISSING.finding(
        "%s lacks %d of the rights of a %s. Run as the owner of the tables: %s"
            .formatted(user, grants.size(), patient.need().role(), String.join(" ", grants)));
  }
}
