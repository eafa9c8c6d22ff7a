package dev.outbox.jdbc.internal.moves;

import dev.outbox.jdbc.internal.session.NamedSql;
import dev.outbox.jdbc.internal.session.RefusedException;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.LockSql;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;

/** Locks and reads rows that no other session has locked. */
public final class SkipLockedRead {
  private SkipLockedRead() {}

  /** Reads one row. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** At most as many as the value of {@code limit} says. */
  public static <T> List<T> read(
      Sql sql, Handle handle, LockSql lock, Map<String, Object> values, Reader<T> reader) {
    if (lock instanceof LockSql.OpenCursor cursor) {
      int limit = (Integer) Objects.requireNonNull(values.get("limit"));
      return fetch(sql, handle, cursor, values, limit, reader);
    }
    return sql.query(handle, lock.sql(), values, (row, context) -> reader.read(row));
  }

  private static <T> List<T> fetch(
      Sql sql,
      Handle handle,
      LockSql.OpenCursor cursor,
      Map<String, ?> values,
      int limit,
      Reader<T> reader) {
    NamedSql named = sql.named(cursor.sql());
    try (PreparedStatement statement = handle.getConnection().prepareStatement(named.text())) {
      for (int i = 0; i < named.names().size(); i++) {
        sql.set(statement, i + 1, sql.value(values, named.names().get(i)));
      }
      statement.setFetchSize(limit);
      statement.setMaxRows(limit);
      return exactly(statement, limit, reader);
    } catch (SQLException e) {
      throw new RefusedException(e);
    }
  }

  // one row more would lock the next fetch's rows
  private static <T> List<T> exactly(PreparedStatement statement, int limit, Reader<T> reader)
      throws SQLException {
    List<T> rows = new ArrayList<>();
    try (ResultSet cursor = statement.executeQuery()) {
      while (rows.size() < limit && cursor.next()) {
        rows.add(reader.read(cursor));
      }
    }
    return rows;
  }
}
