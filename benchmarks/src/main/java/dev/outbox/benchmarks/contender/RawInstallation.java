package dev.outbox.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.benchmarks.contender.RawSql.Placing;
import dev.outbox.benchmarks.measure.Site;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What the hand-written contenders share: writers, and worker threads that take turns until they
 * are told to end.
 */
final class RawInstallation implements Installation {
  private static final int AT_A_TIME = 100;

  private final Site site;
  private final Placing placing;
  private final Working working;
  private final RawSql sql;
  private final HikariDataSource pool;
  private final List<RawWorker> workers = new CopyOnWriteArrayList<>();
  private volatile boolean written;

  RawInstallation(Site site, Placing placing, Working working) {
    this.site = site;
    this.placing = placing;
    this.working = working;
    this.sql = new RawSql(site.database());
    this.pool = site.pool(64);
  }

  /** Makes the turns of one worker. */
  @FunctionalInterface
  interface Working {
    RawWorker.Turn begin(Bench bench) throws SQLException;
  }

  /** What a worker works with; {@code worker} counts from 0. */
  record Bench(RawInstallation all, Connection connection, Tuning tuning, int worker, Sink sink) {
    RawSql sql() {
      return all.sql;
    }

    /** Whether a writer works while messages are moved. */
    boolean isLive() {
      return all.written;
    }
  }

  @Override
  public void fill(long from, int count) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      for (long number = from; number < from + count; number += AT_A_TIME) {
        sql.insert(connection, placing, number, (int) Math.min(AT_A_TIME, from + count - number));
        if ((number - from) / AT_A_TIME % 10 == 9) {
          connection.commit();
        }
      }
      connection.commit();
    }
  }

  @Override
  public Writer writer() throws SQLException {
    written = true;
    Connection connection = pool.getConnection();
    connection.setAutoCommit(false);
    return new Writer() {
      @Override
      public long write(long number) throws SQLException {
        int lane = placing.lane(number);
        Business.insert(connection, number);
        sql.insertInLane(connection, placing, lane, number);
        connection.commit();
        long committed = System.nanoTime();
        workers.forEach(worker -> worker.ring(lane));
        return committed;
      }

      @Override
      public void close() throws SQLException {
        connection.close();
      }
    };
  }

  @Override
  public Held hold(long number) throws SQLException {
    if (placing == Placing.BY_KEY) {
      return Installation.super.hold(number);
    }
    Connection connection = pool.getConnection();
    connection.setAutoCommit(false);
    sql.insert(connection, placing, number, 1);
    return () -> {
      connection.commit();
      connection.close();
    };
  }

  @Override
  public Movement start(Tuning tuning, Sink sink) throws SQLException {
    for (int worker = 0; worker < tuning.relays(); worker++) {
      Connection connection = pool.getConnection();
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      Bench bench = new Bench(this, connection, tuning, worker, sink);
      workers.add(RawWorker.start(connection, working.begin(bench)));
    }
    return this::stop;
  }

  private void stop() throws SQLException {
    List<RawWorker> ending = new ArrayList<>(workers);
    workers.clear();
    for (RawWorker worker : ending) {
      worker.close();
    }
  }

  @Override
  public long waiting() throws SQLException {
    return site.number("SELECT COUNT(*) FROM outbox");
  }

  @Override
  public void close() {
    pool.close();
  }
}
