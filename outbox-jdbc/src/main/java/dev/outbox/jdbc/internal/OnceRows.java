package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.dialect.OnceSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes rows of which there is one for each key, in the caller's transaction, with plain JDBC.
 *
 * <p>Several are written at once: mostly all of them are new, and the database says so. If it does
 * not, that is undone, and they are written one by one to learn which of them are.
 */
final class OnceRows {
  private static final int MOST_ROWS = 500;

  private final Sql sql;

  OnceRows(Sql sql) {
    this.sql = sql;
  }

  /** Writes the rows in their order. Returns which of them were not there. */
  List<Boolean> insert(Connection transaction, OnceSql insert, List<Map<String, Object>> rows)
      throws SQLException {
    List<Boolean> fresh = new ArrayList<>(rows.size());
    for (int from = 0; from < rows.size(); from += MOST_ROWS) {
      List<Map<String, Object>> chunk = rows.subList(from, Math.min(rows.size(), from + MOST_ROWS));
      if (chunk.size() > 1 && insertAll(transaction, insert, chunk)) {
        chunk.forEach(row -> fresh.add(true));
      } else {
        for (Map<String, Object> row : chunk) {
          fresh.add(insertOne(transaction, insert, row));
        }
      }
    }
    return fresh;
  }

  /** Writes one row. False when it is there already. */
  boolean insertOne(Connection transaction, OnceSql insert, Map<String, Object> row)
      throws SQLException {
    try {
      return insert instanceof OnceSql.Tuples tuples
          ? tuples(transaction, tuples, List.of(row)) == 1
          : update(transaction, ((OnceSql.Batch) insert).sql(), row) == 1;
    } catch (SQLException e) {
      return refused(e);
    }
  }

  private boolean insertAll(Connection transaction, OnceSql insert, List<Map<String, Object>> rows)
      throws SQLException {
    Savepoint before = transaction.setSavepoint();
    boolean all;
    try {
      all =
          insert instanceof OnceSql.Tuples tuples
              ? tuples(transaction, tuples, rows) == rows.size()
              : batch(transaction, (OnceSql.Batch) insert, rows);
    } catch (SQLException e) {
      all = refused(e);
    }
    if (!all) {
      transaction.rollback(before);
    }
    return all;
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
        position = set(statement, position, tuple, row);
      }
      return statement.executeUpdate();
    }
  }

  private boolean batch(Connection transaction, OnceSql.Batch batch, List<Map<String, Object>> rows)
      throws SQLException {
    NamedSql named = sql.named(batch.sql());
    try (PreparedStatement statement = transaction.prepareStatement(named.text())) {
      for (Map<String, Object> row : rows) {
        set(statement, 1, named, row);
        statement.addBatch();
      }
      return Arrays.stream(statement.executeBatch()).allMatch(count -> count == 1);
    }
  }

  /** Runs one statement; returns how many rows it changed. */
  int update(Connection transaction, String text, Map<String, Object> values) throws SQLException {
    NamedSql named = sql.named(text);
    try (PreparedStatement statement = transaction.prepareStatement(named.text())) {
      set(statement, 1, named, values);
      return statement.executeUpdate();
    }
  }

  /** What a query answers. */
  <T> List<T> query(
      Connection transaction, String text, Map<String, Object> values, Locks.Reader<T> reader)
      throws SQLException {
    NamedSql named = sql.named(text);
    List<T> found = new ArrayList<>();
    try (PreparedStatement statement = transaction.prepareStatement(named.text())) {
      set(statement, 1, named, values);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(reader.read(rows));
        }
      }
    }
    return found;
  }

  private int set(
      PreparedStatement statement, int first, NamedSql named, Map<String, Object> values)
      throws SQLException {
    int position = first;
    for (String name : named.names()) {
      sql.set(statement, position++, sql.value(values, name));
    }
    return position;
  }
}
