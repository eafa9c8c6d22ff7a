package dev.outbox.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** What both ways to use this library share. */
final class OutboxInstallation implements Installation {
  private static final int AT_A_TIME = 500;

  private final Site site;
  private final LongFunction<Message> messages;
  private final Starting starting;
  private final Enqueuing enqueuing;
  private final HikariDataSource pool;
  private final HikariDataSource applications;
  private final JdbcStore store;
  private final Outbox outbox;

  OutboxInstallation(
      Site site, LongFunction<Message> messages, Starting starting, Enqueuing enqueuing) {
    this.site = site;
    this.messages = messages;
    this.starting = starting;
    this.enqueuing = enqueuing;
    this.pool = site.pool(16);
    this.applications = site.pool(64);
    this.store = JdbcStore.create(pool);
    this.outbox = Outbox.create(store);
  }

  /** How a message gets into a transaction, and how the relay hears of it. */
  enum Enqueuing {
    /** Through {@code Outbox.join}: wakes after the commit. */
    ADAPTER,
    /** On a connection that has no hook: leaves a hint, and no relay is notified of the commit. */
    CONNECTION
  }

  /** Starts a relay. */
  @FunctionalInterface
  interface Starting {
    Relay start(JdbcStore store, Publisher publisher, Tuning tuning);
  }

  @Override
  public void fill(long from, int count) throws SQLException {
    try (Connection connection = applications.getConnection()) {
      connection.setAutoCommit(false);
      for (long begin = from; begin < from + count; begin += AT_A_TIME) {
        List<Message> portion = new ArrayList<>();
        for (long number = begin; number < Math.min(begin + AT_A_TIME, from + count); number++) {
          portion.add(messages.apply(number));
        }
        outbox.enqueue(connection, portion);
        connection.commit();
      }
    }
  }

  @Override
  public Writer writer() throws SQLException {
    Connection connection = applications.getConnection();
    connection.setAutoCommit(false);
    List<Runnable> afterCommit = new ArrayList<>();
    Outbox.Joined joined =
        outbox.join(Transactions.of(work -> work.accept(connection), afterCommit::add));
    return new Writer() {
      @Override
      public long write(long number) throws SQLException {
        Business.insert(connection, number);
        if (enqueuing == Enqueuing.ADAPTER) {
          joined.enqueue(messages.apply(number));
        } else {
          outbox.enqueue(connection, messages.apply(number));
        }
        connection.commit();
        long committed = System.nanoTime();
        afterCommit.forEach(Runnable::run);
        afterCommit.clear();
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
    Connection connection = applications.getConnection();
    connection.setAutoCommit(false);
    outbox.enqueue(connection, messages.apply(number));
    return () -> {
      connection.commit();
      connection.close();
    };
  }

  @Override
  public Movement start(Tuning tuning, Sink sink) {
    Publisher publisher = Publisher.blocking(envelope -> sink.accept(envelope.payload().bytes()));
    List<Relay> relays = new ArrayList<>();
    for (int relay = 0; relay < tuning.relays(); relay++) {
      relays.add(starting.start(store, publisher, tuning));
    }
    return () -> relays.forEach(Relay::close);
  }

  @Override
  public long waiting() throws SQLException {
    return site.number("SELECT COUNT(*) FROM outbox")
        + site.number("SELECT COUNT(*) FROM outbox_parked");
  }

  @Override
  public void close() {
    applications.close();
    pool.close();
  }
}
