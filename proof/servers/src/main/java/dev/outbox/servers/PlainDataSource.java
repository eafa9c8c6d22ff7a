package dev.outbox.servers;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source without a pool: every connection is new and greeted with the same statements. */
final class PlainDataSource implements DataSource {
  private final ServerProduct.Login login;
  private final List<String> greeting;

  PlainDataSource(ServerProduct.Login login, List<String> greeting) {
    this.login = login;
    this.greeting = greeting;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return getConnection(login.user(), login.password());
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    Connection connection = DriverManager.getConnection(login.url(), user, password);
    try {
      PlainSql.run(connection, greeting);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("not a wrapper for " + type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
