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
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.modulith.events.ResubmissionOptions;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Spring Modulith's event publication registry over JDBC: one publication a message, its listener
 * called after the commit on another thread; a backlog is resubmitted without a rest.
 */
public final class Modulith implements Contender {
  private static final int THREADS = 8;
  private static final int BATCH = 500;

  @Override
  public String name() {
    return "modulith";
  }

  @Override
  public boolean runsOn(Database database) {
    return database == Database.POSTGRES;
  }

  @Override
  public String settings(Tuning tuning) {
    return "2.1.0 JDBC, completion-mode=delete, %d threads, a backlog resubmitted by %d, one instance"
        .formatted(THREADS, BATCH);
  }

  @Override
  public int most() {
    return 5_000;
  }

  @Override
  public int mostRelays() {
    return 1;
  }

  @Override
  public String table() {
    return "event_publication";
  }

  @Override
  public void create(Site site) {
    start(site, new Outlet()).close();
  }

  @Override
  public Installation open(Site site) {
    return new Tables(site);
  }

  private static ConfigurableApplicationContext start(Site site, Outlet outlet) {
    return SpringContext.start(
        Application.class,
        site,
        outlet,
        Map.of(
            "namastack.outbox.enabled",
            false,
            "spring.modulith.events.completion-mode",
            "delete",
            "spring.modulith.events.jdbc.schema-initialization.enabled",
            true,
            "spring.task.execution.pool.core-size",
            THREADS,
            "spring.task.execution.pool.max-size",
            THREADS));
  }

  /** What is published. */
  public record Parcel(String text) {}

  /** The application. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  @EnableAsync
  public static class Application {
    @Bean
    Listener listener(Outlet outlet) {
      return new Listener(outlet);
    }
  }

  /** Publishes each event. */
  public static class Listener {
    private final Outlet outlet;

    Listener(Outlet outlet) {
      this.outlet = outlet;
    }

    /** Publishes one. */
    @Async
    @TransactionalEventListener
    public void on(Parcel parcel) {
      outlet.accept(parcel.text());
    }
  }

  private static final class Tables implements Installation {
    private static final int AT_A_TIME = 500;
    private static final String INSERT =
        """
        INSERT INTO event_publication
          (id, listener_id, event_type, serialized_event, publication_date, status, completion_attempts)
        VALUES (?, ?, ?, ?, now(), 'FAILED', 1)
        """;

    private final Site site;
    private final Outlet outlet = new Outlet();
    private @Nullable ConfigurableApplicationContext context;

    Tables(Site site) {
      this.site = site;
    }

    private synchronized ConfigurableApplicationContext context() {
      if (context == null) {
        context = Modulith.start(site, outlet);
      }
      return context;
    }

    /**
     * As the registry leaves them when their first delivery failed; through it, each is delivered.
     */
    @Override
    public void fill(long from, int count) throws SQLException {
      String type = Parcel.class.getName();
      try (Connection connection = site.open();
          PreparedStatement insert = connection.prepareStatement(INSERT)) {
        connection.setAutoCommit(false);
        for (long number = from; number < from + count; number++) {
          insert.setObject(1, UUID.randomUUID());
          insert.setString(2, Listener.class.getName() + ".on(" + type + ")");
          insert.setString(3, type);
          insert.setString(4, "{\"text\":\"" + Payload.text(number) + "\"}");
          insert.addBatch();
          if (number % AT_A_TIME == 0) {
            insert.executeBatch();
          }
        }
        insert.executeBatch();
        connection.commit();
      }
    }

    @Override
    public Writer writer() {
      ConfigurableApplicationContext running = context();
      TransactionTemplate transactions = running.getBean(TransactionTemplate.class);
      DataSource dataSource = running.getBean(DataSource.class);
      return new Writer() {
        @Override
        public long write(long number) {
          transactions.executeWithoutResult(
              status -> {
                insert(dataSource, number);
                running.publishEvent(new Parcel(Payload.text(number)));
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
    public Movement start(Tuning tuning, Sink sink) throws SQLException {
      outlet.to(sink);
      long backlog = waiting();
      Resubmission resubmission = new Resubmission(context(), sink);
      if (backlog > 0) {
        resubmission.thread.start();
      }
      return () -> {
        resubmission.end();
        close();
      };
    }

    @Override
    public long waiting() throws SQLException {
      return site.number("SELECT COUNT(*) FROM event_publication WHERE completion_date IS NULL");
    }

    @Override
    public synchronized void close() {
      if (context != null) {
        context.close();
        context = null;
      }
    }
  }

  /** Resubmits batch after batch, each when the one before has arrived. */
  private static final class Resubmission {
    private final IncompleteEventPublications publications;
    private final Sink sink;
    private final Thread thread = new Thread(this::run, "resubmission");
    private volatile boolean done;

    Resubmission(ConfigurableApplicationContext context, Sink sink) {
      this.publications = context.getBean(IncompleteEventPublications.class);
      this.sink = sink;
    }

    private void run() {
      try {
        while (!done) {
          long before = sink.arrived();
          publications.resubmitIncompletePublications(
              ResubmissionOptions.defaults().withBatchSize(BATCH).withMaxInFlight(BATCH));
          while (!done && sink.arrived() == before) {
            Thread.sleep(1);
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void end() {
      done = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
