package dev.outbox.jdbc.proof;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.history.NoteKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A relay with a pool and its own journal, which joins and leaves as often as it is told.
 *
 * <p>Used by one thread.
 */
final class RelayUnit implements AutoCloseable {
  private static final long POOL_PATIENCE_MILLIS = 2_000;

  private final RelayTerms terms;
  private final Journal journal;
  private final HikariDataSource pool;
  private @Nullable Relay relay;

  RelayUnit(RelayTerms terms) {
    this.terms = terms;
    this.journal = terms.openJournal();
    this.pool = pool(terms.label(), terms.login(), terms.connections());
  }

  /** A unit whose relay has joined. */
  static RelayUnit joined(RelayTerms terms) {
    RelayUnit unit = new RelayUnit(terms);
    unit.join();
    return unit;
  }

  /** A pool whose lenders wait no longer than two seconds. */
  static HikariDataSource pool(String name, RelayTerms.Login login, int size) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(login.url());
    config.setUsername(login.user());
    config.setPassword(login.password());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(1);
    config.setExceptionOverride(new BrokenConnections());
    config.setConnectionTimeout(POOL_PATIENCE_MILLIS);
    config.setValidationTimeout(POOL_PATIENCE_MILLIS / 2);
    if (login.url().startsWith("jdbc:mariadb:")) {
      // its driver connects to cut a call, and waits as long as the last pool of this JVM says
      config.addDataSourceProperty("connectTimeout", POOL_PATIENCE_MILLIS);
    }
    return new HikariDataSource(config);
  }

  HikariDataSource pool() {
    return pool;
  }

  /** Starts a relay and returns its unique name. */
  String join() {
    Relay started =
        Relay.builder(
                JdbcStore.create(pool),
                new JournalingPublisher(journal, terms.label(), terms.perMessage()))
            .name(terms.label())
            .lease(terms.lease(), terms.renewal())
            .publishDeadline(terms.publishDeadline())
            .closeDeadline(terms.closeDeadline())
            .grace(terms.grace())
            .batch(terms.batch())
            .maxInFlight(terms.inFlight(), 8L * 1024 * 1024)
            .listener(new JournalingListener(journal, terms.label()))
            .start();
    relay = started;
    return started.name();
  }

  /** Closes the relay gracefully and returns how long that took. */
  Duration leave() {
    long begun = System.nanoTime();
    if (relay != null) {
      relay.close();
      relay = null;
    }
    Duration taken = Duration.ofNanos(System.nanoTime() - begun);
    journal.of(NoteKind.CLOSED, terms.label(), "took " + taken);
    return taken;
  }

  @Override
  public void close() {
    leave();
    pool.close();
    journal.close();
  }
}
