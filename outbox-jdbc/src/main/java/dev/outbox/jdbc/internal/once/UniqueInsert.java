package dev.outbox.jdbc.internal.once;

import dev.outbox.internal.connection.CallerSavepoint;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.message.JsonText;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.NamedSql;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.OnceSql;
import dev.outbox.message.MessageId;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes rows of which there is one for each key, in the caller's transaction, with plain JDBC.
 *
 * <p>Several are written at once: mostly all of them are new, and the database says so. If it does
 * not, that is undone, and they are written one by one to learn which of them are.
 */
final class UniqueInsert {
  private static final int MOST_ROWS = 500;
  private static final HexFormat HEX = HexFormat.of();

  private final Sql sql;

  UniqueInsert(Sql sql) {
    this.sql = sql;
  }

  /** What is done about a row that is there already, before the next one is written. */
  @FunctionalInterface
  interface Present {
    void at(int index) throws SQLException;
  }

  /**
   * Writes the rows in their order, each to its end before the next: who locked them otherwise
   * would deadlock with others that keep the order.
   */
  void insert(
      Connection transaction, OnceSql insert, List<Map<String, Object>> rows, Present present)
      throws SQLException {
    for (int from = 0; from < rows.size(); from += MOST_ROWS) {
      int first = from;
      insertSome(
          transaction,
          insert,
          rows.subList(from, Math.min(rows.size(), from + MOST_ROWS)),
          i -> present.at(first + i));
    }
  }

  private void insertSome(
      Connection transaction, OnceSql insert, List<Map<String, Object>> rows, Present present)
      throws SQLException {
    if (rows.size() > 1) {
      Set<Integer> there = there(transaction, insert, rows);
      List<Map<String, Object>> absent =
          IntStream.range(0, rows.size())
              .filter(i -> !there.contains(i))
              .mapToObj(rows::get)
              .toList();
      if (absent.isEmpty() || insertAll(transaction, insert, absent)) {
        for (int i : there) {
          present.at(i);
        }
        return;
      }
    }
    for (int i = 0; i < rows.size(); i++) {
      if (!insertOne(transaction, insert, rows.get(i))) {
        present.at(i);
      }
    }
  }

  /** Which of the rows are seen without an INSERT; none where that is not looked for. */
  private Set<Integer> there(Connection transaction, OnceSql insert, List<Map<String, Object>> rows)
      throws SQLException {
    if (!(insert instanceof OnceSql.Looking looking)) {
      return Set.of();
    }
    List<Map<String, Object>> keys = new ArrayList<>(rows.size());
    for (Map<String, Object> row : rows) {
      Map<String, Object> key = new LinkedHashMap<>(Map.of("n", keys.size()));
      row.forEach((name, value) -> hex(value).ifPresent(hex -> key.put(name, hex)));
      keys.add(key);
    }
    Map<String, Object> values = Map.of("keys", JsonText.array(keys));
    return new TreeSet<>(query(transaction, looking.look(), values, row -> row.getInt("n")));
  }

  private Optional<String> hex(Object value) {
    if (value instanceof String text) {
      return Optional.of(HEX.formatHex(text.getBytes(StandardCharsets.UTF_8)));
    }
    return value instanceof MessageId id && sql.dialect().bind(id) instanceof byte[] bytes
        ? Optional.of(HEX.formatHex(bytes))
        : Optional.empty();
  }

  /** Writes one row. False when it is there already. */
  boolean insertOne(Connection transaction, OnceSql insert, Map<String, Object> row)
      throws SQLException {
    try {
      return insert instanceof OnceSql.Batch batch
          ? update(transaction, batch.sql(), row) == 1
          : tuples(transaction, tuples(insert), List.of(row)) == 1;
    } catch (SQLException e) {
      return refused(e);
    }
  }

  private static OnceSql.Tuples tuples(OnceSql insert) {
    return insert instanceof OnceSql.Looking looking ? looking.tuples() : (OnceSql.Tuples) insert;
  }

  private boolean insertAll(Connection transaction, OnceSql insert, List<Map<String, Object>> rows)
      throws SQLException {
    try (CallerSavepoint before = CallerSavepoint.set(transaction)) {
      boolean all;
      try {
        all =
            insert instanceof OnceSql.Batch batch
                ? batch(transaction, batch, rows)
                : tuples(transaction, tuples(insert), rows) == rows.size();
      } catch (SQLException e) {
        all = refused(e);
      }
      if (!all) {
        before.rollback();
      }
      return all;
    }
  }

  /** False when it is refused as a duplicate. */
  private boolean refused(SQLException e) throws SQLException {
    Faults faults = Objects.requireNonNull(Faults.behind(e, sql.dialect()));
    if (faults.fault() != Fault.DUPLICATE) {
      throw e;
    }
    return false;
  }

  private int tuples(Connection transaction, OnceSql.Tuples tuples, List<Map<String, Object>> rows)
      throws SQLException {
    NamedSql tuple = sql.named(tuples.tuple());
    String text =
        IntStream.range(0, rows.size())
            .mapToObj(i -> tuple.text())
            .collect(Collectors.joining(",\n", sql.render(tuples.head()), tuples.tail()));
    try (PreparedStatement statement = transaction.prepareStatement(text)) {
      int position = 1;
      for (Map<String, Object> row : rows) {
        position = sql.bind(statement, position, tuple, row);
      }
      return statement.executeUpdate();
    }
  }

  private boolean batch(Connection transaction, OnceSql.Batch batch, List<Map<String, Object>> rows)
      throws SQLException {
    NamedSql named = sql.named(batch.sql());
    try (PreparedStatement statement = transaction.prepareStatement(named.text())) {
      for (Map<String, Object> row : rows) {
        sql.bind(statement, 1, named, row);
        statement.addBatch();
      }
      return Arrays.stream(statement.executeBatch()).allMatch(count -> count == 1);
    }
  }

  /** Runs one statement; returns how many rows it changed. */
  int update(Connection transaction, String text, Map<String, Object> values) throws SQLException {
    NamedSql named = sql.named(text);
    try (PreparedStatement statement = transaction.prepareStatement(named.text())) {
      sql.bind(statement, 1, named, values);
      return statement.executeUpdate();
    }
  }

  /** What a query answers. */
  <T> List<T> query(
      Connection transaction, String text, Map<String, Object> values, Sql.Reader<T> reader)
      throws SQLException {
    return sql.ask(transaction, text, values, 0, reader);
  }
}
