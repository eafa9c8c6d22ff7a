package dev.outbox.jdbc.internal;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.store.RelayRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;

/**
 * The live relays, over connections borrowed call by call.
 *
 * <p>Safe for use by many threads.
 */
public final class RelayTable implements RelayRegistry {
  private final DataSource dataSource;
  private final Sql sql;
  private final Dialect dialect;
  private final Limits limits;

  public RelayTable(DataSource dataSource, Sql sql, Limits limits) {
    this.dataSource = dataSource;
    this.sql = sql;
    this.dialect = sql.dialect();
    this.limits = limits;
  }

  @Override
  public List<String> beat(String relay, Duration lifetime) {
    Map<String, Object> values = Map.of("relay", relay, "lifetime", lifetime);
    return Session.once(
        dataSource,
        sql,
        limits,
        "beat relay " + relay,
        handle -> {
          sql.update(handle, dialect.beat(), values);
          return live(handle);
        });
  }

  private List<String> live(Handle handle) {
    return sql
        .query(handle, dialect.liveRelays(), Map.of(), (row, context) -> row.getString("relay"))
        .stream()
        .sorted()
        .toList();
  }

  @Override
  public void leave(String relay) {
    Session.once(
        dataSource,
        sql,
        limits,
        "leave relay " + relay,
        handle -> {
          sql.update(handle, dialect.forgetRelays(), Map.of());
          return sql.update(handle, dialect.leave(), Map.of("relay", relay));
        });
  }
}
