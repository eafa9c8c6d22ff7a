package dev.outbox.jdbc.internal.moves;

import dev.outbox.jdbc.internal.session.NamedSql;
import dev.outbox.jdbc.internal.session.RefusedException;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.LockSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Locks and reads rows that no other session has locked. */
public final class SkipLockedRead {
  private SkipLockedRead() {}

  /** At most as many as the value of {@code limit} says. */
  public static <T> List<T> read(
      Sql sql,
      Connection connection,
      LockSql lock,
      Map<String, Object> values,
      Sql.Reader<T> reader) {
    if (lock instanceof LockSql.OpenCursor cursor) {
      int limit = (Integer) Objects.requireNonNull(values.get("limit"));
      return fetch(sql, connection, cursor, values, limit, reader);
    }
    return sql.query(connection, lock.sql(), values, reader);
  }

  private static <T> List<T> fetch(
      Sql sql,
      Connection connection,
      LockSql.OpenCursor cursor,
      Map<String, ?> values,
      int limit,
      Sql.Reader<T> reader) {
    NamedSql named = sql.named(cursor.sql());
    try (PreparedStatement statement = connection.prepareStatement(named.text())) {
      sql.bind(statement, 1, named, values);
      statement.setFetchSize(limit);
      statement.setMaxRows(limit);
      return exactly(statement, limit, reader);
    } catch (SQLException e) {
      throw new RefusedException(e);
    }
  }

  // one row more would lock the next fetch's rows
  private static <T> List<T> exactly(PreparedStatement statement, int limit, Sql.Reader<T> reader)
      throws SQLException {
    List<T> rows = new ArrayList<>();
    try (ResultSet cursor = statement.executeQuery()) {
      Sql.Reader<T> each = reader.of(cursor);
      while (rows.size() < limit && cursor.next()) {
        rows.add(each.read(cursor));
      }
    }
    return rows;
  }
}
