package dev.outbox.console;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** H2 answers nobody else while this is open. */
final class Pause implements AutoCloseable {
  private final Connection only;

  private Pause(Connection only) {
    this.only = only;
  }

  static Pause of(DataSource dataSource) throws SQLException {
    Pause pause = new Pause(dataSource.getConnection());
    pause.execute("SET EXCLUSIVE 1");
    return pause;
  }

  /** Runs a statement in its midst. */
  void execute(String sql) throws SQLException {
    try (Statement statement = only.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    try (only) {
      execute("SET EXCLUSIVE 0");
    }
  }
}
