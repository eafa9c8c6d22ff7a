package dev.outbox.benchmarks.peers;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.ExecutorSubmitter;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.benchmarks.contender.Business;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Installation;
import dev.outbox.benchmarks.contender.Payload;
import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.servers.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * gruelbox's transaction-outbox: one scheduled call a message, processed at once after the commit;
 * a backlog is flushed without a rest, and looked for once a second.
 */
public final class Gruelbox implements Contender {
  private static final int THREADS = 16;
  private static final int BATCH = 1024;
  private static final int QUEUE = 16_384;

  @Override
  public String name() {
    return "gruelbox";
  }

  @Override
  public boolean runsOn(Database database) {
    return database == Database.POSTGRES;
  }

  @Override
  public String settings(Tuning tuning) {
    return "transactionoutbox-core 4.2.268, %d threads, flushBatchSize(%d), serializeMdc(false), flushed without a rest while there is a backlog and room in the queue, else once a second, %d instances"
        .formatted(THREADS, BATCH, tuning.relays());
  }

  @Override
  public int most() {
    return 20_000;
  }

  @Override
  public String table() {
    return "txno_outbox";
  }

  @Override
  public void create(Site site) {
    try (HikariDataSource pool = site.pool(2)) {
      resting(TransactionManager.fromDataSource(pool));
    }
  }

  @Override
  public Installation open(Site site) {
    return new Tables(site, site.pool(80));
  }

  /** What is called for each message. */
  public static class Publishing {
    private final AtomicReference<Sink> sink;

    /** Publishes to what is then in {@code sink}. */
    public Publishing(AtomicReference<Sink> sink) {
      this.sink = sink;
    }

    /** Publishes one. */
    public void publish(String payload) {
      Objects.requireNonNull(sink.get(), "sink").accept(payload);
    }
  }

  /** Writes, and leaves what is written to be flushed by another. */
  private static TransactionOutbox resting(TransactionManager transactions) {
    return outbox(
        transactions, (entry, process) -> {}, Duration.ofSeconds(1), new AtomicReference<>());
  }

  private static TransactionOutbox outbox(
      TransactionManager transactions,
      Submitter submitter,
      Duration attemptFrequency,
      AtomicReference<Sink> sink) {
    return TransactionOutbox.builder()
        .transactionManager(transactions)
        .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
        .instantiator(Instantiator.using(type -> new Publishing(sink)))
        .submitter(submitter)
        .attemptFrequency(attemptFrequency)
        .flushBatchSize(BATCH)
        .serializeMdc(false)
        .build();
  }

  private static final class Tables implements Installation {
    private static final int AT_A_TIME = 500;

    private final Site site;
    private final HikariDataSource pool;
    private final TransactionManager transactions;
    private final AtomicReference<Sink> sink = new AtomicReference<>();
    private final List<Instance> instances = new ArrayList<>();
    private final TransactionOutbox resting;

    Tables(Site site, HikariDataSource pool) {
      this.site = site;
      this.pool = pool;
      this.transactions = TransactionManager.fromDataSource(pool);
      this.resting = resting(transactions);
    }

    @Override
    public void fill(long from, int count) {
      for (long begin = from; begin < from + count; begin += AT_A_TIME) {
        long first = begin;
        transactions.inTransaction(
            transaction -> {
              Publishing publishing = resting.schedule(Publishing.class);
              for (long number = first;
                  number < Math.min(first + AT_A_TIME, from + count);
                  number++) {
                publishing.publish(Payload.text(number));
              }
            });
      }
    }

    @Override
    public Writer writer() {
      long[] committed = new long[1];
      return new Writer() {
        @Override
        public long write(long number) throws SQLException {
          TransactionOutbox outbox = instances.isEmpty() ? resting : any(number);
          transactions.inTransactionThrows(
              transaction -> {
                Business.insert(transaction.connection(), number);
                transaction.addPostCommitHook(() -> committed[0] = System.nanoTime());
                outbox.schedule(Publishing.class).publish(Payload.text(number));
              });
          return committed[0];
        }

        @Override
        public void close() {}
      };
    }

    private TransactionOutbox any(long number) {
      return instances.get((int) (number % instances.size())).outbox;
    }

    @Override
    public Movement start(Tuning tuning, Sink into) {
      sink.set(into);
      for (int number = 0; number < tuning.relays(); number++) {
        instances.add(new Instance(transactions, sink));
      }
      return () -> instances.forEach(Instance::close);
    }

    @Override
    public long waiting() throws SQLException {
      return site.number("SELECT COUNT(*) FROM txno_outbox WHERE NOT processed");
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  /** One instance: workers, and a thread that flushes. */
  private static final class Instance {
    private final ThreadPoolExecutor workers =
        new ThreadPoolExecutor(
            THREADS, THREADS, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE));
    private final TransactionOutbox outbox;
    private final Thread flushing;
    private final Semaphore idle = new Semaphore(0);
    private volatile boolean done;

    Instance(TransactionManager transactions, AtomicReference<Sink> sink) {
      Submitter submitter = ExecutorSubmitter.builder().executor(workers).build();
      this.outbox = outbox(transactions, submitter, Duration.ofMinutes(2), sink);
      this.flushing = new Thread(this::flush, "flushing");
      flushing.start();
    }

    private void flush() {
      try {
        while (!done) {
          if (workers.getQueue().size() > BATCH) {
            Thread.sleep(1);
          } else if (!outbox.flush()) {
            idle.tryAcquire(1, TimeUnit.SECONDS);
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void close() {
      done = true;
      idle.release();
      try {
        flushing.join();
        workers.shutdown();
        if (!workers.awaitTermination(30, TimeUnit.SECONDS)) {
          throw new IllegalStateException("its workers do not end");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
