package dev.outbox.jdbc.internal.operate;

import dev.outbox.Topics.Setting;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.RegistryStatement;
import dev.outbox.spi.TopicStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What is set per topic, over connections borrowed call by call.
 *
 * <p>Safe for use by many threads.
 */
public final class TopicTable implements TopicStore {
  private final DataSource dataSource;
  private final Sql sql;
  private final Dialect dialect;
  private final Limits limits;

  public TopicTable(DataSource dataSource, Sql sql, Limits limits) {
    this.dataSource = dataSource;
    this.sql = sql;
    this.dialect = sql.dialect();
    this.limits = limits;
  }

  private record Row(String topic, Setting setting) {}

  @Override
  public Map<String, Setting> all() {
    return Session.once(
        dataSource, sql, limits, "read what is set per topic", connection -> all(sql, connection));
  }

  /** As {@link #all}, over a connection that is there. */
  public static Map<String, Setting> all(Sql sql, Connection connection) {
    return sql.query(connection, RegistryStatement.TOPICS, Map.of(), row -> read(row)).stream()
        .filter(row -> !row.setting().equals(Setting.NONE))
        .collect(Collectors.toUnmodifiableMap(Row::topic, Row::setting));
  }

  private static Row read(ResultSet row) throws SQLException {
    return new Row(
        row.getString("topic"),
        new Setting(
            row.getInt("paused") == 1,
            row.getInt("strict") == 1,
            limit(row, "rate_limit"),
            limit(row, "in_flight_cap")));
  }

  private static @Nullable Integer limit(ResultSet row, String column) throws SQLException {
    int limit = row.getInt(column);
    return row.wasNull() ? null : Math.max(1, limit);
  }

  @Override
  public Setting change(String topic, UnaryOperator<Setting> change) {
    return Session.once(
        dataSource,
        sql,
        limits,
        "change what is set for topic " + topic,
        connection -> change(connection, topic, change));
  }

  /**
   * A row stays when nothing is set any more: on MySQL and MariaDB two who insert beside one who
   * deletes may deadlock.
   */
  private Setting change(Connection connection, String topic, UnaryOperator<Setting> change)
      throws SQLException {
    Map<String, Object> named = Map.of("topic", topic);
    List<Row> before = sql.query(connection, RegistryStatement.LOCK_TOPIC, named, row -> read(row));
    Setting setting = change.apply(before.isEmpty() ? Setting.NONE : before.get(0).setting());
    if (!before.isEmpty()) {
      sql.update(connection, RegistryStatement.UPDATE_TOPIC, values(topic, setting));
    } else if (!setting.equals(Setting.NONE)) {
      insert(connection, values(topic, setting));
    }
    return setting;
  }

  /** Another operator may insert the same first: then the whole change is made again. */
  private void insert(Connection connection, Map<String, @Nullable Object> values) {
    try {
      sql.update(connection, RegistryStatement.INSERT_TOPIC, values);
    } catch (RuntimeException e) {
      throw Faults.raced("another operator sets the same topic", e, dialect);
    }
  }

  private static Map<String, @Nullable Object> values(String topic, Setting setting) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("topic", topic);
    values.put("paused", setting.paused() ? 1 : 0);
    values.put("strict", setting.strict() ? 1 : 0);
    values.put("rate_limit", setting.perSecond());
    values.put("in_flight_cap", setting.inFlight());
    return values;
  }
}
