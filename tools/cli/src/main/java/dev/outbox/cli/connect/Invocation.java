package dev.outbox.cli.connect;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.cli.text.Printer;
import dev.outbox.cli.text.Terminal;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One call of the command line: its options, its terminal, and the store once it is asked for.
 *
 * <p>Used by one thread.
 */
public final class Invocation implements AutoCloseable {
  private static final int CONNECTIONS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration LITTLE_PATIENCE = Duration.ofSeconds(5);

  private final CommonOptions access = new CommonOptions();
  private final Terminal terminal;
  private Duration patience = PATIENCE;
  private @Nullable HikariDataSource pool;

  public Invocation(Terminal terminal) {
    this.terminal = terminal;
  }

  public CommonOptions access() {
    return access;
  }

  public Terminal terminal() {
    return terminal;
  }

  /** Writes the answer. */
  public Printer printer() {
    return new Printer(terminal, access.json);
  }

  /** Tells a person what the answer does not say. */
  public void warn(String sentence) {
    terminal.err().println("outbox: " + sentence);
    terminal.err().flush();
  }

  /**
   * Waits less for a connection, for a command that asks again and again and shows that it does.
   */
  public void asksAgain() {
    patience = LITTLE_PATIENCE;
  }

  /** The connections, few of them. */
  public DataSource dataSource() {
    if (pool == null) {
      pool = new HikariDataSource(settings(Target.of(access, terminal), patience));
    }
    return pool;
  }

  private static HikariConfig settings(Target target, Duration patience) {
    HikariConfig settings = new HikariConfig();
    settings.setDataSource(target.dataSource());
    settings.setPoolName("outbox-cli");
    settings.setMaximumPoolSize(CONNECTIONS);
    settings.setMinimumIdle(0);
    settings.setConnectionTimeout(patience.toMillis());
    settings.setInitializationFailTimeout(-1); // the first connection tells more of what is wrong
    target.check();
    return settings;
  }

  /** The store, without its archive. */
  public JdbcStore store() {
    return store(false);
  }

  /** The store that reads its archive too. */
  public JdbcStore store(boolean archive) {
    JdbcStore.Builder builder = JdbcStore.builder(dataSource());
    if (access.schema != null) {
      builder.schema(access.schema);
    }
    if (access.tablePrefix != null) {
      builder.tablePrefix(access.tablePrefix);
    }
    return (archive ? builder.archive() : builder).build();
  }

  /** The tables that the options name. */
  public Schema.Builder schema() {
    Schema.Builder builder = Schema.builder(dataSource());
    if (access.schema != null) {
      builder.schema(access.schema);
    }
    if (access.tablePrefix != null) {
      builder.tablePrefix(access.tablePrefix);
    }
    return builder;
  }

  @Override
  public void close() {
    if (pool != null) {
      pool.close();
    }
  }
}
