package dev.outbox.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.benchmarks.watching.Watching;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.PostgresWakeup;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** What both ways to use this library share. */
final class OutboxInstallation implements Installation {
  private static final int AT_A_TIME = 500;

  private final Site site;
  private final LongFunction<Message> messages;
  private final Relays relays;
  private final Enqueuing enqueuing;
  private final HikariDataSource pool;
  private final HikariDataSource applications;
  private final @Nullable PostgresWakeup wakeup;
  private final JdbcStore store;
  private final Outbox outbox;
  private final Watching watching;

  OutboxInstallation(
      Site site, LongFunction<Message> messages, Relays relays, Enqueuing enqueuing) {
    this(site, messages, relays, enqueuing, Watching.NOTHING);
  }

  OutboxInstallation(
      Site site,
      LongFunction<Message> messages,
      Relays relays,
      Enqueuing enqueuing,
      Function<OutboxStore, Watching> watching) {
    this.site = site;
    this.messages = messages;
    this.relays = relays;
    this.enqueuing = enqueuing;
    this.pool = site.pool(16);
    this.applications = site.pool(64);
    this.wakeup = enqueuing == Enqueuing.NOTIFYING ? PostgresWakeup.create(pool) : null;
    this.store = wakeup == null ? JdbcStore.create(pool) : notifying(pool, wakeup);
    this.watching = watching.apply(store);
    Outbox.Builder builder = Outbox.builder(store);
    this.watching.watch(builder);
    this.outbox = builder.build();
  }

  private static JdbcStore notifying(HikariDataSource pool, PostgresWakeup wakeup) {
    return JdbcStore.builder(pool).wakeup(wakeup).build();
  }

  /** How a message gets into a transaction, and how the relay hears of it. */
  enum Enqueuing {
    /** Through {@code Outbox.join}: wakes after the commit. */
    ADAPTER,
    /** On a connection that has no hook: leaves a hint, and no relay is notified of the commit. */
    CONNECTION,
    /** As {@link #ADAPTER}, and PostgreSQL wakes relays of other processes. */
    NOTIFYING
  }

  /** How a relay is set. */
  @FunctionalInterface
  interface Relays {
    Relay.Builder relay(JdbcStore store, Publisher publisher, Tuning tuning);
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
        if (enqueuing == Enqueuing.CONNECTION) {
          outbox.enqueue(connection, messages.apply(number));
        } else {
          joined.enqueue(messages.apply(number));
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
    Publisher publisher =
        watching.watch(Publisher.blocking(envelope -> sink.accept(envelope.payload().bytes())));
    List<Relay> started = new ArrayList<>();
    for (int number = 0; number < tuning.relays(); number++) {
      Relay.Builder builder = relays.relay(store, publisher, tuning);
      watching.watch(builder);
      Relay relay = builder.start();
      watching.started(relay);
      started.add(relay);
    }
    return () -> started.forEach(Relay::close);
  }

  @Override
  public long waiting() throws SQLException {
    return site.number("SELECT COUNT(*) FROM outbox")
        + site.number("SELECT COUNT(*) FROM outbox_parked");
  }

  @Override
  public void close() {
    watching.close();
    if (wakeup != null) {
      wakeup.close();
    }
    applications.close();
    pool.close();
  }
}
