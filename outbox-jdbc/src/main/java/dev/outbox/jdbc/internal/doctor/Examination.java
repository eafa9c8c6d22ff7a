package dev.outbox.jdbc.internal.doctor;

import dev.outbox.OutboxException.Finding;
import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.dialect.Product;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ConnectionLoan;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase.Outbox;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.doctor.base.RequiredGrants;
import dev.outbox.jdbc.internal.doctor.probe.H2Probes;
import dev.outbox.jdbc.internal.doctor.probe.MariaDbProbes;
import dev.outbox.jdbc.internal.doctor.probe.MySqlProbes;
import dev.outbox.jdbc.internal.doctor.probe.OracleProbes;
import dev.outbox.jdbc.internal.doctor.probe.PostgresProbes;
import dev.outbox.jdbc.internal.doctor.probe.Probes;
import dev.outbox.jdbc.internal.schema.Dialects;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.spi.Layout;
import dev.outbox.spi.Usage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * One examination, from the first connection to the sorted findings.
 *
 * <p>It holds as many connections as are needed for a moment, then two, and one for the rest, waits
 * at most {@code POOL} for the first and {@code QUESTIONS} for the others' answers, and gives every
 * connection back as it came. What it may not look at becomes a warning.
 */
public final class Examination {
  private static final Duration POOL = Duration.ofSeconds(5);
  private static final Duration QUESTIONS = Duration.ofSeconds(5);

  private final DataSource dataSource;
  private final Tables tables;
  private final Layout layout;
  private final InstantSource clock;
  private final boolean oneNode;

  public Examination(DataSource dataSource, Tables tables, Layout layout, InstantSource clock) {
    this(dataSource, tables, layout, clock, false);
  }

  private Examination(
      DataSource dataSource, Tables tables, Layout layout, InstantSource clock, boolean oneNode) {
    this.dataSource = dataSource;
    this.tables = tables;
    this.layout = layout;
    this.clock = clock;
    this.oneNode = oneNode;
  }

  /** The same where all writers and relays use one node of a cluster of servers. */
  public Examination onOneNode() {
    return new Examination(dataSource, tables, layout, clock, true);
  }

  /**
   * What is wrong for {@code usage}, worst first.
   *
   * @throws StoreException when there is no connection, or it breaks
   */
  public List<Finding> findings(Usage usage) {
    Set<Finding> findings = new LinkedHashSet<>();
    try (ConnectionLoan connectionLoan = ConnectionLoan.of(dataSource, usage.connections(), POOL)) {
      if (connectionLoan.lent().isEmpty()) {
        throw lentNone(connectionLoan);
      }
      findings.addAll(examine(connectionLoan, usage));
    } catch (SQLException e) {
      throw StoreException.passing("the doctor lost its connection: " + e.getMessage(), e);
    }
    return findings.stream().sorted(Comparator.comparing(Finding::severity)).toList();
  }

  private static StoreException lentNone(ConnectionLoan connectionLoan) {
    Exception refusal = connectionLoan.refusal();
    StoreException closed = Faults.ofClosedPool("examine the database", refusal);
    return closed != null
        ? closed
        : StoreException.passing(
            "no connection in %d ms: %s".formatted(POOL.toMillis(), connectionLoan.reason()),
            refusal);
  }

  private List<Finding> examine(ConnectionLoan connectionLoan, Usage usage) throws SQLException {
    Connection connection = connectionLoan.lent().get(0);
    Product product = Product.of(connection.getMetaData());
    Dialect dialect;
    try {
      dialect = Dialects.of(product);
    } catch (IllegalArgumentException e) {
      return List.of(
          FindingCode.PRODUCT_UNSUPPORTED.finding(e.getMessage() + ". Upgrade the server"));
    }
    Outbox outbox = new Outbox(dialect, tables, layout, oneNode);
    List<Finding> findings = new ArrayList<>(PoolChecks.at(connectionLoan, dataSource, usage));
    connectionLoan.keep(2);
    findings.addAll(
        examine(connectionLoan, new ExaminedDatabase(connection, outbox, usage, QUESTIONS)));
    return findings;
  }

  private List<Finding> examine(ConnectionLoan connectionLoan, ExaminedDatabase examinedDatabase)
      throws SQLException {
    Connection connection = examinedDatabase.connection();
    boolean autoCommit = connection.getAutoCommit();
    if (!autoCommit) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    Probes probes = probes(examinedDatabase.dialect());
    // before a transaction of ours would end one in which the connection was lent
    List<Finding> findings = new ArrayList<>(look(probes.checks(), examinedDatabase));
    Sharing.Verdict sessions = Sharing.of(connectionLoan, dataSource, examinedDatabase, probes);
    connectionLoan.keep(1);
    boolean captured = examinedDatabase.usage().role() == Usage.Role.CAPTURE;
    findings.addAll(sessions.findings());
    findings.addAll(look(checks(probes, sessions.kept(), captured), examinedDatabase));
    examinedDatabase.leave();
    connection.setAutoCommit(autoCommit);
    return findings;
  }

  private List<Check> checks(Probes probes, boolean sessionsKept, boolean captured) {
    List<Check> checks = new ArrayList<>(SessionChecks.all(probes, clock, sessionsKept));
    checks.add(new Check("the time-outs of the driver", new DriverCheck(dataSource)::at));
    checks.add(
        new Check(
            "the rights of the database user",
            new GrantCheck(probes, RequiredGrants::alone)::at,
            new GrantCheck(probes, RequiredGrants::amongPeers)::at));
    checks.addAll(TableChecks.all());
    checks.addAll(IdChecks.all());
    checks.addAll(ClusterChecks.all());
    if (captured) {
      checks.addAll(probes.capture());
    }
    return checks;
  }

  private static List<Finding> look(List<Check> checks, ExaminedDatabase examinedDatabase)
      throws SQLException {
    List<Finding> findings = new ArrayList<>();
    for (Check check : checks) {
      findings.addAll(look(check, examinedDatabase));
    }
    return findings;
  }

  private static List<Finding> look(Check check, ExaminedDatabase examinedDatabase)
      throws SQLException {
    try {
      return check.look().at(examinedDatabase);
    } catch (SQLException e) {
      Fault fault = examinedDatabase.dialect().faults().of(e);
      if (fault == Fault.CONNECTION) {
        throw e;
      }
      return List.of(
          FindingCode.CANNOT_CHECK.finding(
              "cannot look at %s: %s. This could not be verified"
                  .formatted(check.what(), e.getMessage())));
    }
  }

  private static Probes probes(Dialect dialect) {
    return switch (dialect.name()) {
      case "postgresql" -> new PostgresProbes();
      case "mysql" -> new MySqlProbes();
      case "mariadb" -> new MariaDbProbes();
      case "oracle" -> new OracleProbes();
      case "h2" -> new H2Probes();
      default -> throw new IllegalStateException("no probes for " + dialect.name());
    };
  }
}
