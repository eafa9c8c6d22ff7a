package dev.outbox.benchmarks.peers;

import dev.outbox.benchmarks.contender.Business;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Installation;
import dev.outbox.benchmarks.contender.Payload;
import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.benchmarks.peers.SpringContext.Outlet;
import dev.outbox.servers.Database;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** namastack-outbox over JDBC: one record a message with its key, read by polling. */
public final class Namastack implements Contender {
  private static final int BATCH = 1000;
  private static final String INTERVAL = "10ms";
  private static final int THREADS = 8;

  @Override
  public String name() {
    return "namastack";
  }

  @Override
  public boolean runsOn(Database database) {
    return database == Database.POSTGRES;
  }

  @Override
  public String settings(Tuning tuning) {
    return "1.6.0 JDBC, polling.batch-size=%d keys, polling.fixed.interval=%s, %d threads, delete-completed-records, one instance"
        .formatted(BATCH, INTERVAL, THREADS);
  }

  @Override
  public int most() {
    return 20_000;
  }

  @Override
  public int mostRelays() {
    return 1;
  }

  @Override
  public String table() {
    return "outbox_record";
  }

  @Override
  public void create(Site site) {
    start(site, new Outlet(), "1h").close();
  }

  @Override
  public Installation open(Site site) {
    return new Tables(site);
  }

  private static ConfigurableApplicationContext start(Site site, Outlet outlet, String interval) {
    return SpringContext.start(
        Application.class,
        site,
        outlet,
        Map.of(
            "namastack.outbox.polling.batch-size", BATCH,
            "namastack.outbox.polling.fixed.interval", interval,
            "namastack.outbox.processing.executor-core-pool-size", THREADS,
            "namastack.outbox.processing.executor-max-pool-size", THREADS,
            "namastack.outbox.processing.delete-completed-records", true,
            "spring.autoconfigure.exclude",
                "org.springframework.modulith.events.config.EventPublicationAutoConfiguration,"
                    + "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration,"
                    + "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration"));
  }

  /** The payload of a record. */
  public record Parcel(String text) {}

  /** The application. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  public static class Application {
    @Bean
    Handler handler(Outlet outlet) {
      return new Handler(outlet);
    }
  }

  /** Publishes each record. */
  public static final class Handler implements OutboxTypedHandler<Parcel> {
    private final Outlet outlet;

    Handler(Outlet outlet) {
      this.outlet = outlet;
    }

    @Override
    public void handle(Parcel payload, OutboxRecordMetadata metadata) {
      outlet.accept(payload.text());
    }
  }

  private static final class Tables implements Installation {
    private static final int AT_A_TIME = 500;

    private final Site site;
    private final Outlet outlet = new Outlet();
    private @Nullable ConfigurableApplicationContext context;

    Tables(Site site) {
      this.site = site;
    }

    /** Running, or without polling if it was not started. */
    private synchronized ConfigurableApplicationContext context() {
      if (context == null) {
        context = Namastack.start(site, outlet, "1h");
      }
      return context;
    }

    @Override
    public void fill(long from, int count) {
      Outbox outbox = context().getBean(Outbox.class);
      TransactionTemplate transactions = context().getBean(TransactionTemplate.class);
      for (long begin = from; begin < from + count; begin += AT_A_TIME) {
        long first = begin;
        transactions.executeWithoutResult(
            status ->
                LongStream.range(first, Math.min(first + AT_A_TIME, from + count))
                    .forEach(number -> schedule(outbox, number)));
      }
    }

    private static void schedule(Outbox outbox, long number) {
      outbox.schedule(new Parcel(Payload.text(number)), Payload.key(number));
    }

    @Override
    public Writer writer() {
      Outbox outbox = context().getBean(Outbox.class);
      TransactionTemplate transactions = context().getBean(TransactionTemplate.class);
      DataSource dataSource = context().getBean(DataSource.class);
      return new Writer() {
        @Override
        public long write(long number) {
          transactions.executeWithoutResult(
              status -> {
                insert(dataSource, number);
                schedule(outbox, number);
              });
          return System.nanoTime();
        }

        @Override
        public void close() {}
      };
    }

    private static void insert(DataSource dataSource, long number) {
      try {
        Business.insert(DataSourceUtils.getConnection(dataSource), number);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public synchronized Movement start(Tuning tuning, Sink sink) {
      outlet.to(sink);
      close();
      context = Namastack.start(site, outlet, INTERVAL);
      return this::close;
    }

    @Override
    public long waiting() throws SQLException {
      return site.number("SELECT COUNT(*) FROM outbox_record WHERE completed_at IS NULL");
    }

    @Override
    public synchronized void close() {
      if (context != null) {
        Objects.requireNonNull(context).close();
        context = null;
      }
    }
  }
}
