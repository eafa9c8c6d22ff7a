package dev.outbox.jdbc.internal.ids;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.ids.IdCounters.Counter;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.NextIdSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What each counter gives next, where the database tells us.
 *
 * <p>Used by one thread.
 */
final class NextIds {
  private static final Set<Fault> REFUSALS = EnumSet.of(Fault.DENIED, Fault.MISSING, Fault.REFUSED);

  /** The end of the DDL, where no text of a user's stands. */
  private static final Pattern SHOWN =
      Pattern.compile("\\n\\) ENGINE=(?:.*?\\bAUTO_INCREMENT=(\\d+))?", Pattern.DOTALL);

  private final Sql sql;
  private final int seconds;
  private final Dialect dialect;
  private final Map<Counter, Sequence> sequences = new EnumMap<>(Counter.class);

  /** The connection over which we may not look. */
  private @Nullable Connection denied;

  /** It has no name where the column is no identity. */
  private record Sequence(String name, boolean isReadable) {
    static Sequence read(ResultSet row) throws SQLException {
      return new Sequence(Objects.toString(row.getString("name"), ""), row.getInt("readable") == 1);
    }
  }

  NextIds(Sql sql, int seconds) {
    this.seconds = seconds;
    this.sql = sql;
    this.dialect = sql.dialect();
  }

  /** The next id; empty where it is not shown, or we may not look. */
  OptionalLong next(Connection connection, Counter counter) throws SQLException {
    if (denied == connection) {
      return OptionalLong.empty();
    }
    try {
      return ask(connection, counter);
    } catch (SQLException | RuntimeException e) {
      if (!isRefused(e)) {
        throw e;
      }
      // a table that is missing may be made again, with another sequence
      sequences.clear();
      denied = fault(e) == Fault.DENIED ? connection : null;
      return OptionalLong.empty();
    }
  }

  private OptionalLong ask(Connection connection, Counter counter) throws SQLException {
    if (sql.statements().nextId() instanceof NextIdSql.Told told) {
      return number(connection, named(told.sql(), counter), place(counter));
    }
    if (sql.statements().nextId() instanceof NextIdSql.Shown shown) {
      String text = named(shown.sql(), counter);
      OptionalLong next = shown(connection, text);
      return next.isPresent() ? next : shownInPlainMode(connection, text, shown);
    }
    NextIdSql.OfSequence of = (NextIdSql.OfSequence) sql.statements().nextId();
    Sequence sequence = sequence(connection, of, counter);
    if (!sequence.isReadable()) {
      return OptionalLong.empty();
    }
    return number(connection, of.sql().replace("{sequence}", sequence.name()), Map.of());
  }

  private OptionalLong shown(Connection connection, String text) throws SQLException {
    String ddl = sql.ask(connection, text, Map.of(), seconds, row -> row.getString(2)).get(0);
    Matcher options = SHOWN.matcher(ddl);
    if (!options.find()) {
      return OptionalLong.empty();
    }
    String next = options.group(1);
    return OptionalLong.of(next == null ? 1 : Long.parseLong(next));
  }

  /** The session's own mode, as ANSI or ORACLE, leaves the options out. */
  private OptionalLong shownInPlainMode(Connection connection, String text, NextIdSql.Shown shown)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(shown.plainMode());
      try {
        return shown(connection, text);
      } finally {
        statement.execute(shown.modeAsBefore());
      }
    }
  }

  private Sequence sequence(Connection connection, NextIdSql.OfSequence of, Counter counter)
      throws SQLException {
    Sequence known = sequences.get(counter);
    if (known == null || !known.isReadable()) {
      String asked = named(of.name(), counter);
      known = sql.ask(connection, asked, Map.of(), seconds, Sequence::read).get(0);
      sequences.put(counter, known);
    }
    return known;
  }

  /** The sequences that we may not read, of those that were asked. */
  List<String> unreadable() {
    return sequences.values().stream()
        .filter(sequence -> !sequence.isReadable())
        .map(Sequence::name)
        .toList();
  }

  boolean isRefused(Exception e) {
    return REFUSALS.contains(fault(e));
  }

  private @Nullable Fault fault(Exception e) {
    Faults faults = Faults.behind(e, dialect);
    return faults == null ? null : faults.fault();
  }

  OptionalLong number(Connection connection, String text, Map<String, ?> values)
      throws SQLException {
    return sql
        .ask(connection, text, values, seconds, row -> Objects.toString(row.getObject(1), ""))
        .stream()
        .filter(each -> !each.isEmpty())
        .mapToLong(Long::parseLong)
        .findFirst();
  }

  /** The text with the table, the column and the sequence of {@code counter}. */
  String named(Connection connection, String text, Counter counter) throws SQLException {
    String named = named(text, counter);
    if (!(sql.statements().nextId() instanceof NextIdSql.OfSequence of)) {
      return named;
    }
    String sequence = sequence(connection, of, counter).name();
    return named
        .replace("'{sequence}'", "'" + sequence.replace("'", "''") + "'")
        .replace("{sequence}", sequence);
  }

  private static String named(String text, Counter counter) {
    return text.replace("{table}", "{" + counter.table + "}").replace("{column}", counter.column);
  }

  private Map<String, @Nullable Object> place(Counter counter) {
    Map<String, @Nullable Object> place = new HashMap<>();
    String prefix = sql.tables().prefix();
    place.put("schema", sql.tables().schema());
    place.put("name", counter == Counter.READY ? prefix : prefix + "_" + counter.table);
    return place;
  }
}
