package dev.outbox.jdbc.internal.doctor;

import dev.outbox.store.Finding;
import dev.outbox.store.Need;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** What is asked of all connections that are needed at a time. */
final class PoolChecks {
  private static final int SOME = 3;
  private static final Duration QUESTIONS = Duration.ofSeconds(2);

  private PoolChecks() {}

  static List<Finding> at(Loan loan, Need need, Probes probes, Patient.Outbox outbox)
      throws SQLException {
    List<Finding> findings = new ArrayList<>();
    int lent = loan.lent().size();
    findings.addAll(
        Symptom.POOL_TOO_SMALL.when(
            lent < need.connections(),
            "a %s needs %d connections at a time, the pool gave %d (%s). Raise its maximum by %d, or give the relay a store over a pool of its own, which commits over this one wake only through a PostgresWakeup of both"
                .formatted(
                    need.role(),
                    need.connections(),
                    lent,
                    loan.reason(),
                    need.connections() - lent)));
    findings.addAll(shared(loan, need, probes, outbox));
    return findings;
  }

  // A pooler that lends a session for a transaction gives two idle connections the same session, or
  // one connection another session each time.
  private static List<Finding> shared(Loan loan, Need need, Probes probes, Patient.Outbox outbox)
      throws SQLException {
    if (need.role() != Need.Role.RELAY) {
      return List.of();
    }
    List<Connection> some = loan.lent().stream().limit(SOME).toList();
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    for (Connection connection : some) {
      first.add(session(connection, need, probes, outbox));
    }
    // the other way round, or a pooler that takes turns gives everyone the same again
    for (int i = some.size() - 1; i >= 0; i--) {
      second.add(0, session(some.get(i), need, probes, outbox));
    }
    boolean shared = new HashSet<>(first).size() < first.size() || !first.equals(second);
    return Symptom.SESSIONS_SHARED.when(
        shared,
        "%d connections were in the server's sessions %s, then in %s: a pooler lends sessions by transaction, where time-outs and isolation set by a relay reach other clients and not itself. Connect the relay to the server directly, or through a pool with pool_mode = session"
            .formatted(some.size(), first, second));
  }

  private static String session(
      Connection connection, Need need, Probes probes, Patient.Outbox outbox) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (!autoCommit) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    Patient patient = new Patient(connection, outbox, need, QUESTIONS);
    String session = patient.row(probes.session()).text("session");
    patient.leave();
    connection.setAutoCommit(autoCommit);
    return session;
  }
}
