package dev.outbox.jdbc;

import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.PostgresDialect;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.internal.wakeup.Channels;
import dev.outbox.spi.Wakeup;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Wake-ups that reach the relays of other processes, by PostgreSQL's LISTEN and NOTIFY.
 *
 * <pre>{@code
 * PostgresWakeup wakeup = PostgresWakeup.create(dataSource);
 * JdbcStore store = JdbcStore.builder(dataSource).wakeup(wakeup).build();
 * }</pre>
 *
 * <p>One serves all stores of a process on one database: they share its connections and threads.
 * While a relay runs, one connection listens; while transactions are committed through an adapter,
 * or followed by {@code Outbox.wake()}, one notifies, at most twenty times a second and never
 * inside the application's transaction. When the connection drops, another is made, and everybody
 * is woken once. A lost wake-up costs up to a relay's poll, never a message.
 *
 * <p>Safe for use by many threads.
 */
public final class PostgresWakeup implements AutoCloseable {
  private final Channels channels;

  private PostgresWakeup(DataSource dataSource) {
    this.channels = new Channels(dataSource);
  }

  /**
   * Wake-ups over {@code dataSource}, which leads to the database of the stores, to the server
   * itself or through a pooler that keeps sessions, and by PostgreSQL's own driver. Opens no
   * connection yet.
   */
  public static PostgresWakeup create(DataSource dataSource) {
    return new PostgresWakeup(Objects.requireNonNull(dataSource, "dataSource"));
  }

  /**
   * The wake-ups of the outbox whose tables {@code sql} names, on connections of {@code store}.
   *
   * @throws IllegalArgumentException when the tables are not in PostgreSQL
   * @throws StoreException when the database does not answer, or there are no such tables
   */
  Wakeup of(DataSource store, Sql sql) {
    if (!(sql.dialect() instanceof PostgresDialect)) {
      throw new IllegalArgumentException(
          "wakeup needs PostgreSQL, these tables are in another database; leave it out");
    }
    return channels.of(store, sql.tables().name("outbox"));
  }

  /**
   * How many connections of {@code store} a relay's listening will hold beyond the present ones.
   */
  int connectionsToCome(DataSource store) {
    return channels.connectionsToCome(store);
  }

  /**
   * Sends the notifications that are left, then ends the threads and returns the connections,
   * within a few seconds. Wake-ups within the process go on.
   */
  @Override
  public void close() {
    channels.close();
  }
}
