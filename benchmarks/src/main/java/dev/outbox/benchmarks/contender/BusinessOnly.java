package dev.outbox.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The application without any messages: its business row alone. Enqueues nothing, moves nothing.
 */
final class BusinessOnly implements Contender {
  @Override
  public String name() {
    return "business";
  }

  @Override
  public boolean runsOn(Database database) {
    return true;
  }

  @Override
  public String settings(Tuning tuning) {
    return "the business row alone";
  }

  @Override
  public void create(Site site) {}

  @Override
  public Installation open(Site site) {
    return new Alone(site.pool(64));
  }

  private record Alone(HikariDataSource pool) implements Installation {
    @Override
    public void fill(long from, int count) {
      throw new UnsupportedOperationException("a business row is no message");
    }

    @Override
    public Writer writer() throws SQLException {
      Connection connection = pool.getConnection();
      connection.setAutoCommit(false);
      return new Writer() {
        @Override
        public long write(long number) throws SQLException {
          Business.insert(connection, number);
          connection.commit();
          return System.nanoTime();
        }

        @Override
        public void close() throws SQLException {
          connection.close();
        }
      };
    }

    @Override
    public Movement start(Tuning tuning, Sink sink) {
      throw new UnsupportedOperationException("a business row is not moved");
    }

    @Override
    public long waiting() {
      return 0;
    }

    @Override
    public void close() {
      pool.close();
    }
  }
}
