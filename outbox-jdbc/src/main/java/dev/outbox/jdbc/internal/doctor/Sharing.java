package dev.outbox.jdbc.internal.doctor;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.doctor.base.ConnectionLoan;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.doctor.base.ProbeTransaction;
import dev.outbox.jdbc.internal.doctor.probe.Probes;
import dev.outbox.jdbc.internal.session.Pooler;
import dev.outbox.jdbc.sql.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Whether a pooler lends the server's sessions by transaction. One connection begins and ends
 * twice; another begins and stays; the first begins again. A pooler at rest gives the second the
 * session that the first had, one that takes turns gives the first two, and a busy one gives the
 * first another while the second stays. A busy one may also give each what it had, by chance: where
 * a pooler may stand before the server, this is asked several times.
 *
 * <p>Sets nothing in the server. Used by one thread.
 */
final class Sharing {
  private static final Duration POOL = Duration.ofSeconds(5);
  private static final int ROUNDS = 10;

  /** A prepared statement exists already, or does not exist. */
  private static final Set<String> OTHERS_STATEMENTS = Set.of("42P05", "26000");

  private final DataSource dataSource;
  private final String question;
  private final Connection first;
  private final boolean perhaps;

  /** {@code kept} when settings of a session reach no other client. */
  record Verdict(boolean kept, List<Finding> findings) {}

  private Sharing(DataSource dataSource, Connection first, String question, boolean perhaps) {
    this.dataSource = dataSource;
    this.first = first;
    this.question = question;
    this.perhaps = perhaps;
  }

  /** Looks at two connections of the loan, or at one where no pooler can be between. */
  static Verdict of(
      ConnectionLoan connectionLoan,
      DataSource dataSource,
      ExaminedDatabase examinedDatabase,
      Probes probes)
      throws SQLException {
    try {
      Connection first = connectionLoan.lent().get(0);
      boolean perhaps = perhaps(first, examinedDatabase.dialect(), probes);
      return examinedDatabase.isRelay()
          ? new Sharing(dataSource, first, probes.session(), perhaps).among(connectionLoan)
          : new Verdict(!perhaps, List.of());
    } catch (SQLException e) {
      if (!OTHERS_STATEMENTS.contains(String.valueOf(e.getSQLState()))) {
        throw e;
      }
      return shared(
          "a statement that the driver prepared belongs to another client: " + e.getMessage());
    }
  }

  private static boolean perhaps(Connection first, Dialect dialect, Probes probes)
      throws SQLException {
    return !Statements.of(dialect).limits().local().isEmpty()
        && Pooler.mayStandBefore(
            first, Long.parseLong(ProbeTransaction.once(first, probes.session())));
  }

  private Verdict among(ConnectionLoan connectionLoan) throws SQLException {
    if (connectionLoan.lent().size() > 1) {
      return withAnother(connectionLoan.lent().get(1));
    }
    return perhaps ? withOneMore() : alone();
  }

  private Verdict alone() throws SQLException {
    return verdict(firstTwice(), "");
  }

  private Verdict withOneMore() throws SQLException {
    try (ConnectionLoan more = ConnectionLoan.of(dataSource, 1, POOL)) {
      return more.isComplete() ? withAnother(more.lent().get(0)) : unknown(more.reason());
    }
  }

  private Verdict withAnother(Connection second) throws SQLException {
    Verdict verdict = oneRound(second);
    for (int round = 1; verdict.kept() && perhaps && round < ROUNDS; round++) {
      verdict = oneRound(second);
    }
    return verdict;
  }

  private Verdict oneRound(Connection second) throws SQLException {
    List<String> sessions = firstTwice();
    ProbeTransaction staying;
    try {
      staying = new ProbeTransaction(second, question);
    } catch (SQLException e) {
      if (OTHERS_STATEMENTS.contains(String.valueOf(e.getSQLState()))) {
        throw e;
      }
      return unknown(String.valueOf(e.getMessage()));
    }
    try (staying) {
      if (!sessions.contains(staying.session())) {
        sessions.add(ProbeTransaction.once(first, question));
      }
      return verdict(sessions, staying.session());
    }
  }

  private List<String> firstTwice() throws SQLException {
    List<String> sessions = new ArrayList<>();
    sessions.add(ProbeTransaction.once(first, question));
    sessions.add(ProbeTransaction.once(first, question));
    return sessions;
  }

  private static Verdict verdict(List<String> ofFirst, String ofSecond) {
    Set<String> different = new LinkedHashSet<>(ofFirst);
    return different.size() == 1 && !different.contains(ofSecond)
        ? new Verdict(true, List.of())
        : shared(
            "one connection was in the server's sessions %s, another in [%s]"
                .formatted(different, ofSecond));
  }

  private static Verdict shared(String seen) {
    return new Verdict(
        false,
        List.of(
            FindingCode.SESSIONS_SHARED.finding(
                "%s: a pooler lends sessions by transaction, where time-outs and isolation set by a relay reach other clients and not itself. Connect the relay to the server directly, or through a pool with pool_mode = session"
                    .formatted(seen))));
  }

  private static Verdict unknown(String reason) {
    return new Verdict(
        false,
        List.of(
            FindingCode.POOL_TOO_SMALL.finding(
                "there is a pooler before the server; to see whether it lends sessions by transaction the doctor needs a second connection for a moment, but got none: %s. Raise the maximum of the pool, or of the pooler, by 1, or connect the relay to the server directly"
                    .formatted(reason))));
  }
}
