package dev.outbox.benchmarks.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.benchmarks.contender.Business;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Installation;
import dev.outbox.benchmarks.contender.Payload;
import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** db-scheduler with lock-and-fetch: one one-time task a message, its payload as it is. */
public final class DbScheduler implements Contender {
  private static final int THREADS = 20;
  private static final double LOWER = 1.0;
  private static final double UPPER = 4.0;
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int AT_A_TIME = 500;
  private static final List<String> TABLE =
      List.of(
          """
          CREATE TABLE scheduled_tasks (
            task_name text NOT NULL,
            task_instance text NOT NULL,
            task_data bytea,
            execution_time timestamptz NOT NULL,
            picked boolean NOT NULL,
            picked_by text,
            last_success timestamptz,
            last_failure timestamptz,
            consecutive_failures int,
            last_heartbeat timestamptz,
            version bigint NOT NULL,
            priority smallint,
            PRIMARY KEY (task_name, task_instance))
          """,
          "CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)",
          "CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");

  @Override
  public String name() {
    return "db-scheduler";
  }

  @Override
  public boolean runsOn(Database database) {
    return database == Database.POSTGRES;
  }

  @Override
  public String settings(Tuning tuning) {
    return "16.12, threads(%d).pollUsingLockAndFetch(%.1f, %.1f).pollingInterval(%s).enableImmediateExecution(), bytes as they are, %d schedulers"
        .formatted(THREADS, LOWER, UPPER, POLL, tuning.relays());
  }

  @Override
  public int most() {
    return 20_000;
  }

  @Override
  public String table() {
    return "scheduled_tasks";
  }

  @Override
  public void create(Site site) throws SQLException {
    for (String statement : TABLE) {
      site.execute(statement);
    }
  }

  @Override
  public Installation open(Site site) {
    return new Tables(site, site.pool(64));
  }

  /** Payloads travel as they are, not as serialized objects. */
  private static final class Plain implements Serializer {
    @Override
    public byte[] serialize(Object data) {
      return (byte[]) data;
    }

    @Override
    public <T> T deserialize(Class<T> type, byte[] serialized) {
      return type.cast(serialized);
    }
  }

  private static final class Tables implements Installation {
    private final Site site;
    private final HikariDataSource pool;
    private final OneTimeTask<byte[]> naming =
        Tasks.oneTime("publish", byte[].class).execute((instance, context) -> {});
    private final List<Scheduler> schedulers = new CopyOnWriteArrayList<>();

    Tables(Site site, HikariDataSource pool) {
      this.site = site;
      this.pool = pool;
    }

    private SchedulerClient client(Connection connection) {
      return SchedulerClient.Builder.create(GivenConnection.of(connection), naming)
          .serializer(new Plain())
          .build();
    }

    private TaskInstance<byte[]> instance(long number) {
      return naming.instance(Long.toString(number), Payload.bytes(number));
    }

    @Override
    public void fill(long from, int count) throws SQLException {
      try (Connection connection = pool.getConnection()) {
        connection.setAutoCommit(false);
        SchedulerClient client = client(connection);
        for (long begin = from; begin < from + count; begin += AT_A_TIME) {
          List<TaskInstance<?>> portion = new ArrayList<>();
          for (long number = begin; number < Math.min(begin + AT_A_TIME, from + count); number++) {
            portion.add(instance(number));
          }
          client.scheduleBatch(portion, Instant.now());
          connection.commit();
        }
      }
    }

    @Override
    public Writer writer() throws SQLException {
      Connection connection = pool.getConnection();
      connection.setAutoCommit(false);
      SchedulerClient client = client(connection);
      return new Writer() {
        @Override
        public long write(long number) throws SQLException {
          Business.insert(connection, number);
          client.scheduleIfNotExists(instance(number), Instant.now());
          connection.commit();
          long committed = System.nanoTime();
          schedulers.forEach(Scheduler::triggerCheckForDueExecutions);
          return committed;
        }

        @Override
        public void close() throws SQLException {
          connection.close();
        }
      };
    }

    @Override
    public Movement start(Tuning tuning, Sink sink) {
      for (int number = 0; number < tuning.relays(); number++) {
        Scheduler scheduler =
            Scheduler.create(
                    pool,
                    Tasks.oneTime("publish", byte[].class)
                        .execute((instance, context) -> sink.accept(instance.getData())))
                .schedulerName(new SchedulerName.Fixed("scheduler-" + number))
                .threads(THREADS)
                .pollUsingLockAndFetch(LOWER, UPPER)
                .pollingInterval(POLL)
                .enableImmediateExecution()
                .serializer(new Plain())
                .build();
        scheduler.start();
        schedulers.add(scheduler);
      }
      return this::stop;
    }

    private void stop() {
      schedulers.forEach(Scheduler::stop);
      schedulers.clear();
    }

    @Override
    public long waiting() throws SQLException {
      return site.number("SELECT COUNT(*) FROM scheduled_tasks");
    }

    @Override
    public void close() {
      pool.close();
    }
  }
}
