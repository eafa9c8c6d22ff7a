package dev.outbox.jdbc;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.Tables;
import dev.outbox.store.Finding;
import dev.outbox.store.Layout;
import dev.outbox.store.Need;
import java.util.List;
import javax.sql.DataSource;

/**
 * Looks at a database for what would break or slow the outbox. Changes nothing.
 *
 * <p>Safe for use by many threads.
 */
final class Doctor {
  private final DataSource dataSource;
  private final Dialect dialect;
  private final Tables tables;
  private final Layout layout;

  Doctor(DataSource dataSource, Dialect dialect, Tables tables, Layout layout) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.tables = tables;
    this.layout = layout;
  }

  List<Finding> examine(Need need) {
    return List.of();
  }

  @Override
  public String toString() {
    return "Doctor[%s, %s, %s, %s]".formatted(dialect.name(), tables.prefix(), layout, dataSource);
  }
}
