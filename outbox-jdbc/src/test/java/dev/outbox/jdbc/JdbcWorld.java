package dev.outbox.jdbc;

import dev.outbox.message.MessageId;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.crash.TestWorld;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * A world on a real database. Its steps are the statements and commits of writers and relays, or
 * the calls of the store's ports.
 */
final class JdbcWorld implements TestWorld {
  private final JdbcEnvironment environment;
  private final LentConnections lent;
  private final DataSource connections;
  private final Grain grain;
  private Duration passed = Duration.ZERO;

  /** What counts as a step. */
  enum Grain {
    STATEMENTS,
    CALLS
  }

  /** What a dropped relay has open is rolled back by whose the connections are. */
  JdbcWorld(JdbcEnvironment environment, DataSource connections, Grain grain) {
    this.environment = environment;
    this.lent = new LentConnections(connections);
    this.connections = lent.dataSource();
    this.grain = grain;
  }

  @Override
  public OutboxStore store(String who, Steps steps) {
    if (grain == Grain.CALLS) {
      return steps.watch(who, environment.open(connections));
    }
    boolean relay = who.startsWith("relay");
    return steps.note(
        who, relay ? environment.open(steps.watch(who, connections)) : environment.store());
  }

  @Override
  public DataSource applications(String who, Steps steps) {
    return steps.watch(who, connections);
  }

  @Override
  public void passTime(Duration step) {
    try {
      environment.passTime(step);
      passed = passed.plus(step);
    } catch (SQLException e) {
      throw new IllegalStateException("time cannot pass", e);
    }
  }

  /** Time does not go back with the tables. */
  @Override
  public Past remember() throws SQLException {
    TableCopies copies = environment.copies();
    TableCopies.NextIds next = copies.copy();
    Duration then = passed;
    return () -> {
      lent.cut(environment::cut);
      copies.putBack(next);
      environment.passTime(passed.minus(then));
    };
  }

  /** Where history is kept, every message that was delivered is in the archive once. */
  @Override
  public List<String> flaws(Set<MessageId> due) throws SQLException {
    if (!environment.archives()) {
      return List.of();
    }
    List<MessageId> archived = environment.archived();
    List<String> flaws = new ArrayList<>();
    if (archived.size() != due.size() || !due.equals(Set.copyOf(archived))) {
      flaws.add(
          "%d messages in the archive, of them %d different, instead of %d"
              .formatted(archived.size(), Set.copyOf(archived).size(), due.size()));
    }
    return flaws;
  }

  @Override
  public void close() {
    environment.close();
  }
}
