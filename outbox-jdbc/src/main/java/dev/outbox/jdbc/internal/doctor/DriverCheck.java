package dev.outbox.jdbc.internal.doctor;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.session.HikariPool;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Whether the driver gives up a login without an answer. Where it does not, a network that lost its
 * state keeps a pool's only opener of connections waiting for ever, long after it is back.
 *
 * <p>Silent about drivers that have a limit by default, and about those that do not show theirs.
 */
final class DriverCheck {
  private static final Pattern LOGIN_TIMEOUT = Pattern.compile("[?&]loginTimeout=0*[1-9]");

  private final DataSource dataSource;

  DriverCheck(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  List<Finding> at(ExaminedDatabase examinedDatabase) throws SQLException {
    if (!examinedDatabase.isRelay() || readsWithLimit(examinedDatabase.connection())) {
      return List.of();
    }
    DatabaseMetaData metadata = examinedDatabase.connection().getMetaData();
    return switch (metadata.getDriverName()) {
      case "PostgreSQL JDBC Driver" -> postgresql(metadata);
      case "MySQL Connector/J" -> mysql();
      default -> List.of();
    };
  }

  // a connection as it was lent has the driver's own limit
  private static boolean readsWithLimit(Connection connection) throws SQLException {
    try {
      return connection.getNetworkTimeout() > 0;
    } catch (SQLFeatureNotSupportedException e) {
      // told by another check
      return true;
    }
  }

  private List<Finding> postgresql(DatabaseMetaData metadata) throws SQLException {
    boolean limited =
        LOGIN_TIMEOUT.matcher(String.valueOf(metadata.getURL())).find()
            || !HikariPool.properties(dataSource).getProperty("loginTimeout", "0").equals("0");
    return finding(
        !limited,
        "neither socketTimeout nor loginTimeout",
        "connectTimeout=5&loginTimeout=10&socketTimeout=60&tcpKeepAlive=true");
  }

  // it takes the DriverManager's, which HikariCP sets
  private static List<Finding> mysql() {
    return finding(
        DriverManager.getLoginTimeout() == 0,
        "no socketTimeout",
        "connectTimeout=5000&socketTimeout=15000");
  }

  private static List<Finding> finding(boolean seen, String missing, String parameters) {
    return FindingCode.DRIVER_WITHOUT_TIMEOUTS.when(
        seen,
        "the driver has %s, so a login without an answer never ends: after a network failure the relay may stay without a connection although the database is back. Add to the JDBC URL: %s"
            .formatted(missing, parameters));
  }
}
