package dev.outbox.jdbc.internal.ids;

import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.IdStatement;
import dev.outbox.spi.lane.GivenIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The counters that number messages and dead letters: what each gives next, what the tables show of
 * what it gave, and the statements that raise it.
 *
 * <p>Used by one thread.
 */
public final class IdCounters {
  /** The ids of dead letters have no index: those that died last are looked at. */
  private static final int NEWEST_DEAD = 1000;

  private final Sql sql;
  private final int seconds;
  private final NextIds nextIds;

  /** A column that numbers rows. */
  public enum Counter {
    READY("outbox", "id"),
    DELAYED("delayed", "id"),
    DEAD("dead", "dead_id");

    final String table;
    final String column;

    Counter(String table, String column) {
      this.table = table;
      this.column = column;
    }
  }

  /** A counter that lies behind what it gave, and the statement that raises it. */
  public record Behind(Counter counter, String table, long next, long highest, String raise) {}

  public IdCounters(Sql sql) {
    this(sql, 0);
  }

  /** Each question may take so many seconds; zero is without end. */
  public IdCounters(Sql sql, int seconds) {
    this.sql = sql;
    this.seconds = seconds;
    this.nextIds = new NextIds(sql, seconds);
  }

  /** The next id; empty where it is not shown, or we may not look. */
  public OptionalLong next(Connection connection, Counter counter) throws SQLException {
    return nextIds.next(connection, counter);
  }

  /** The sequences that we may not read, of those that were asked. */
  public List<String> unreadable() {
    return nextIds.unreadable();
  }

  /** True when the database answered, and will answer the same again. */
  boolean isRefused(Exception e) {
    return nextIds.isRefused(e);
  }

  String name(Counter counter) {
    return sql.tables().name(counter.table);
  }

  /** The highest id at or above {@code next} that the tables show, or one below it. */
  private long highest(Connection connection, Counter counter, long next, boolean archive, int dead)
      throws SQLException {
    return switch (counter) {
      case READY -> {
        Map<String, Object> values = Map.of("next", next, "most", dead);
        long shown = shown(connection, IdStatement.HIGHEST_ID, values);
        yield archive ? Math.max(shown, highestArchived(connection, next)) : shown;
      }
      case DELAYED -> shown(connection, IdStatement.HIGHEST_DELAYED, Map.of("next", next));
      case DEAD -> shown(connection, IdStatement.HIGHEST_DEAD, Map.of("next", next));
    };
  }

  private long shown(Connection connection, IdStatement statement, Map<String, Object> values)
      throws SQLException {
    return nextIds.number(connection, sql.statements().text(statement), values).orElse(0);
  }

  /** As {@code highest}, of the archived messages. */
  long highestArchived(Connection connection, long next) throws SQLException {
    return shown(connection, IdStatement.HIGHEST_ARCHIVED, Map.of("next", next));
  }

  /** What a relay asks of the ready messages; {@code archived} is the highest that it has seen. */
  GivenIds given(Connection connection, long next, long archived) throws SQLException {
    long highest = Math.max(archived, highest(connection, Counter.READY, next, false, NEWEST_DEAD));
    List<String> statements = new ArrayList<>();
    if (highest >= next) {
      statements.add(raise(connection, Counter.READY, highest + 1));
    }
    statements.add(raiseEpochs());
    return new GivenIds(highest, remedy(statements));
  }

  /** What an operator is told to do. */
  public String remedy(List<String> statements) {
    return "%sas the owner of the tables: %s;"
        .formatted(sql.tables().clusterScope().raisingIds(), String.join("; ", statements));
  }

  /** The counters that lie behind; of an archive it asks if there is one. */
  public List<Behind> behind(Connection connection) throws SQLException {
    return behind(connection, NEWEST_DEAD);
  }

  private boolean hasArchive(Connection connection) throws SQLException {
    try {
      sql.ask(connection, "SELECT 1 FROM {archive} WHERE 1 = 0", Map.of(), seconds, row -> row);
      return true;
    } catch (SQLException e) {
      if (!isRefused(e)) {
        throw e;
      }
      return false;
    }
  }

  /** As {@link #behind(Connection)}, with a look at the last {@code dead} dead letters. */
  List<Behind> behind(Connection connection, int dead) throws SQLException {
    boolean archive = hasArchive(connection);
    List<Behind> behind = new ArrayList<>();
    for (Counter counter : Counter.values()) {
      OptionalLong next = next(connection, counter);
      if (next.isPresent()) {
        long highest = highest(connection, counter, next.getAsLong(), archive, dead);
        // asked again: writers may have taken ids while the tables were looked at
        long still =
            highest < next.getAsLong() ? Long.MAX_VALUE : next(connection, counter).orElse(0);
        if (highest >= still) {
          String raise = raise(connection, counter, highest + 1);
          behind.add(new Behind(counter, name(counter), still, highest, raise));
        }
      }
    }
    return behind;
  }

  /** The statement with which {@code counter} gives {@code next}. */
  private String raise(Connection connection, Counter counter, long next) throws SQLException {
    String text =
        sql.statements().text(IdStatement.RAISE_NEXT_ID).replace("{next}", Long.toString(next));
    return sql.renderOnce(nextIds.named(connection, text, counter)).strip();
  }

  /** The statement that raises the epochs above all that were given. */
  public String raiseEpochs() {
    // no lane has been leased as often as milliseconds have passed since 1970
    String least = Long.toString(System.currentTimeMillis());
    return sql.renderOnce(sql.statements().text(IdStatement.RAISE_EPOCHS).replace("{least}", least))
        .strip();
  }
}
