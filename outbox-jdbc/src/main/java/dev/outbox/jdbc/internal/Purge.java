package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.dialect.PurgeSql;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;

/** Deletes rows whose time is over, in one short transaction. */
final class Purge {
  private Purge() {}

  /** At most {@code atMost} rows; returns how many. */
  static int run(
      DataSource dataSource, Sql sql, Limits limits, String what, PurgeSql purge, int atMost) {
    return Session.once(dataSource, sql, limits, what, handle -> purge(sql, handle, purge, atMost));
  }

  private static int purge(Sql sql, Handle handle, PurgeSql purge, int atMost) {
    Map<String, Object> limit = Map.of("limit", atMost);
    if (purge instanceof PurgeSql.Direct direct) {
      return sql.update(handle, direct.sql(), limit);
    }
    PurgeSql.SelectThenDelete twoSteps = (PurgeSql.SelectThenDelete) purge;
    List<Map<String, String>> keys =
        sql.query(handle, twoSteps.select(), limit, (row, context) -> texts(row));
    return keys.isEmpty()
        ? 0
        : sql.update(handle, twoSteps.delete(), Map.of("rows", JsonText.array(keys)));
  }

  private static Map<String, String> texts(ResultSet row) throws SQLException {
    Map<String, String> texts = new LinkedHashMap<>();
    ResultSetMetaData columns = row.getMetaData();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      texts.put(columns.getColumnLabel(i), row.getString(i));
    }
    return texts;
  }
}
