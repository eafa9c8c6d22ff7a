package dev.outbox.jdbc.dialect;

import static java.util.Map.entry;

import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to PostgreSQL.
 *
 * <p>Stateless.
 */
public final class PostgresDialect implements Dialect {
  @Override
  public String name() {
    return "postgresql";
  }

  @Override
  public String supported() {
    return "PostgreSQL 13 or newer";
  }

  @Override
  public List<String> folders() {
    return List.of("common", "postgresql");
  }

  @Override
  public Match match(Product product) {
    if (!product.name().equals("PostgreSQL")) {
      return Match.OTHER;
    }
    return product.isAtLeast(13, 0, 0) ? Match.SUPPORTED : Match.TOO_OLD;
  }

  @Override
  public boolean readsAlone() {
    return true;
  }

  @Override
  public boolean isReadOnly(Connection connection) throws SQLException {
    return connection.isReadOnly();
  }

  @Override
  public Map<String, Object> limits(Limits limits) {
    return Map.of(
        "lock_wait", milliseconds(limits.lockWait()),
        "idle", milliseconds(limits.idle()),
        "statement", milliseconds(limits.statement()));
  }

  private static String milliseconds(Duration duration) {
    return Long.toString(Math.max(1, duration.toMillis()));
  }

  @Override
  public FaultCodes faults() {
    return new FaultCodes(
        Map.of(),
        Map.ofEntries(
            entry("40001", Fault.RETRY),
            entry("40P01", Fault.RETRY),
            entry("55P03", Fault.RETRY),
            entry("25P02", Fault.ABORTED),
            entry("25P03", Fault.CONNECTION),
            entry("57P01", Fault.CONNECTION),
            entry("57P02", Fault.CONNECTION),
            entry("57P03", Fault.CONNECTION),
            entry("57P05", Fault.CONNECTION),
            entry("57014", Fault.SLOW),
            entry("25006", Fault.READ_ONLY),
            entry("42P01", Fault.MISSING),
            entry("42703", Fault.MISSING),
            entry("3F000", Fault.MISSING),
            entry("42501", Fault.DENIED),
            entry("23505", Fault.DUPLICATE)));
  }

  // one value for the statement, which an index can be searched for
  @Override
  public String clock() {
    return "(SELECT clock_timestamp())";
  }

  @Override
  public String boundClock() {
    return "CAST(:now AS timestamptz)";
  }

  @Override
  public Object bind(MessageId id) {
    return id.value();
  }

  @Override
  public Object bind(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  @Override
  public MessageId messageId(ResultSet row, int column) throws SQLException {
    return new MessageId(row.getObject(column, UUID.class));
  }

  @Override
  public @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
    return value == null ? null : value.toInstant();
  }

  @Override
  public int maxIdentifier() {
    return 63;
  }
}
