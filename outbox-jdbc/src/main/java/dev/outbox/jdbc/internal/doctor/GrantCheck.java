package dev.outbox.jdbc.internal.doctor;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.doctor.base.RequiredGrants.Right;
import dev.outbox.jdbc.internal.doctor.base.RequiredGrants.Verb;
import dev.outbox.jdbc.internal.doctor.probe.Probes;
import dev.outbox.spi.Usage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Tries every right that a role needs, on no row and in a transaction that is rolled back.
 *
 * <p>Asking the server itself is exact whatever gives the right: a grant, a role, an ownership.
 */
record GrantCheck(Probes probes, Function<Usage, List<Right>> rights) {

  List<Finding> at(ExaminedDatabase examinedDatabase) throws SQLException {
    if (!canRollBack(examinedDatabase.connection())) {
      return List.of();
    }
    String user = examinedDatabase.row(probes.user()).text("name");
    Set<String> grants = new LinkedHashSet<>();
    Set<String> absent = new LinkedHashSet<>();
    Connection connection = examinedDatabase.connection();
    connection.setAutoCommit(false);
    try {
      for (Right right : rights.apply(examinedDatabase.usage())) {
        String table = examinedDatabase.tables().name(right.table());
        Optional<Fault> fault = tried(examinedDatabase, right, table);
        if (fault.filter(Fault.READ_ONLY::equals).isPresent()) {
          return List.of(FindingCode.readOnly());
        }
        if (fault.isPresent()) {
          boolean denied = fault.get() == Fault.DENIED;
          (denied ? grants : absent).add(denied ? grant(right.verb(), table, user) : table);
        }
      }
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    List<Finding> findings = new ArrayList<>();
    absent.forEach(table -> findings.add(TableChecks.missing(examinedDatabase, table)));
    if (!grants.isEmpty()) {
      findings.add(lacking(examinedDatabase, user, grants));
    }
    return findings;
  }

  // where autocommit is forced, which is its own finding, nothing is tried
  private static boolean canRollBack(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    boolean can = !connection.getAutoCommit();
    connection.setAutoCommit(true);
    return can;
  }

  private Optional<Fault> tried(ExaminedDatabase examinedDatabase, Right right, String table)
      throws SQLException {
    try {
      String text =
          text(right.verb()).replace("{table}", table).replace("{column}", right.column());
      if (right.verb() == Verb.SELECT || right.verb() == Verb.LOCK) {
        examinedDatabase.rows(text);
      } else {
        examinedDatabase.run(text, Map.of());
      }
      return Optional.empty();
    } catch (SQLException e) {
      Fault fault = examinedDatabase.dialect().faults().of(e);
      if (fault == Fault.DENIED || fault == Fault.MISSING || fault == Fault.READ_ONLY) {
        // after a refusal PostgreSQL answers nothing more in its transaction
        examinedDatabase.connection().rollback();
        return Optional.of(fault);
      }
      throw e;
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

  private static Finding lacking(
      ExaminedDatabase examinedDatabase, String user, Set<String> grants) {
    return FindingCode.GRANTS_MISSING.finding(
        "%s lacks %d of the rights of a %s. Run as the owner of the tables: %s"
            .formatted(
                user, grants.size(), examinedDatabase.usage().role(), String.join(" ", grants)));
  }
}
