package dev.outbox.jdbc.internal.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Makes tables of a version of those of the version before. What another process has done meanwhile
 * is left out: an index that it has built would be dropped and built again.
 *
 * <p>Immutable.
 */
record UpgradeStep(Ddl ddl, int version) {
  private static final Pattern DROP =
      Pattern.compile("DROP INDEX (?:IF EXISTS )?(?:\\w+\\.)?(\\w+)");

  void apply(DataSource dataSource) {
    ddl.apply(dataSource, this::isDue);
  }

  private boolean isDue(Connection connection, String sql) throws SQLException {
    int found = SchemaVersion.of(connection, ddl.dialect(), ddl.tables()).orElse(0);
    if (found >= version) {
      return false;
    }
    Matcher drop = DROP.matcher(sql);
    Matcher create = Indexes.CREATE.matcher(sql);
    if (drop.lookingAt()) {
      return isDropDue(connection, drop.group(1));
    }
    return !create.lookingAt() || !isBuilt(indexes(connection, create), create);
  }

  /** An index is dropped only to be built with other columns, or to its end. */
  private boolean isDropDue(Connection connection, String index) throws SQLException {
    for (MatchResult create : Indexes.CREATE.matcher(ddl.text()).results().toList()) {
      if (create.group(1).equals(index)) {
        Map<String, String> found = indexes(connection, create);
        return found.containsKey(index.toLowerCase(Locale.ROOT)) && !isBuilt(found, create);
      }
    }
    return true;
  }

  private Map<String, String> indexes(Connection connection, MatchResult create)
      throws SQLException {
    return new Indexes(connection, ddl.dialect()).of(create.group(2));
  }

  private static boolean isBuilt(Map<String, String> found, MatchResult create) {
    return found.containsValue(Indexes.columns(create.group(3)));
  }
}
