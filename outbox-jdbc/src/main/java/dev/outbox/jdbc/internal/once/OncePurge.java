package dev.outbox.jdbc.internal.once;

import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.message.JsonText;
import dev.outbox.jdbc.internal.moves.SkipLockedRead;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.PurgeSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;

/** Deletes rows whose time is over, in one short transaction. */
final class OncePurge {
  private OncePurge() {}

  /** At most {@code atMost} rows; returns how many. */
  static int run(
      DataSource dataSource, Sql sql, Limits limits, String what, PurgeSql purge, int atMost) {
    return Session.once(
        dataSource, sql, limits, what, connection -> purge(sql, connection, purge, atMost));
  }

  private static int purge(Sql sql, Connection connection, PurgeSql purge, int atMost) {
    Map<String, Object> limit = Map.of("limit", atMost);
    if (purge instanceof PurgeSql.Direct direct) {
      return sql.update(connection, direct.sql(), limit);
    }
    if (purge instanceof PurgeSql.LockThenDelete steps) {
      List<Map<String, Object>> locked =
          SkipLockedRead.read(sql, connection, steps.lock(), limit, OncePurge::values);
      return locked.isEmpty()
          ? 0
          : Arrays.stream(sql.batch(connection, steps.delete(), locked)).sum();
    }
    PurgeSql.FindLockDelete steps = (PurgeSql.FindLockDelete) purge;
    List<Map<String, Object>> found = values(sql, connection, steps.find(), limit);
    List<Map<String, Object>> locked =
        found.isEmpty() ? found : values(sql, connection, steps.lock(), rows(found));
    return locked.isEmpty() ? 0 : sql.update(connection, steps.delete(), rows(locked));
  }

  private static List<Map<String, Object>> values(
      Sql sql, Connection connection, String text, Map<String, Object> values) {
    return sql.query(connection, text, values, row -> values(row));
  }

  private static Map<String, Object> rows(List<Map<String, Object>> keys) {
    return Map.of("rows", JsonText.array(keys));
  }

  private static Map<String, Object> values(ResultSet row) throws SQLException {
    Map<String, Object> values = new LinkedHashMap<>();
    ResultSetMetaData columns = row.getMetaData();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      values.put(columns.getColumnLabel(i).toLowerCase(Locale.ROOT), row.getObject(i));
    }
    return values;
  }
}
