package dev.outbox.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A pool whose borrowers are timed: how long the outbox waits for a connection. Give it to the
 * store in the place of the pool.
 *
 * <p>Safe for use by many threads if the pool is.
 *
 * <pre>{@code
 * TimedDataSource timed = TimedDataSource.of(pool);
 * timed.bindTo(registry);
 * OutboxStore store = JdbcStore.create(timed);
 * }</pre>
 */
public final class TimedDataSource implements DataSource, MeterBinder {
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(10),
    Duration.ofMillis(100),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(30)
  };

  private final DataSource pool;
  private final Map<MeterRegistry, Timer> timers = new ConcurrentHashMap<>();

  private TimedDataSource(DataSource pool) {
    this.pool = Objects.requireNonNull(pool, "pool");
  }

  public static TimedDataSource of(DataSource pool) {
    return new TimedDataSource(pool);
  }

  /** Registers the timer; a second call with the same registry changes nothing. */
  @Override
  public void bindTo(MeterRegistry registry) {
    timers.computeIfAbsent(
        registry,
        unbound ->
            Timer.builder("outbox.pool.wait")
                .description("How long the outbox waited for a connection, given or not")
                .serviceLevelObjectives(BUCKETS)
                .register(unbound));
  }

  @Override
  public Connection getConnection() throws SQLException {
    long start = System.nanoTime();
    try {
      return pool.getConnection();
    } finally {
      waited(System.nanoTime() - start);
    }
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    long start = System.nanoTime();
    try {
      return pool.getConnection(username, password);
    } finally {
      waited(System.nanoTime() - start);
    }
  }

  private void waited(long nanos) {
    timers.values().forEach(timer -> timer.record(nanos, TimeUnit.NANOSECONDS));
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    return type.isInstance(pool) ? type.cast(pool) : pool.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return type.isInstance(this) || type.isInstance(pool) || pool.isWrapperFor(type);
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return pool.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter writer) throws SQLException {
    pool.setLogWriter(writer);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    pool.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return pool.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return pool.getParentLogger();
  }
}
