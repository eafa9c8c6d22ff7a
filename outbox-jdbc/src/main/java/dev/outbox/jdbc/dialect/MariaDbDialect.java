package dev.outbox.jdbc.dialect;

import static java.util.Map.entry;

import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to MariaDB, also through the driver of MySQL.
 *
 * <p>Stateless.
 */
public final class MariaDbDialect implements Dialect {
  @Override
  public String name() {
    return "mariadb";
  }

  @Override
  public String supported() {
    return "MariaDB 10.6 or newer";
  }

  @Override
  public List<String> folders() {
    return List.of("common", "mysql", "mariadb");
  }

  @Override
  public Match match(Product product) {
    if (!product.isMariaDb()) {
      return Match.OTHER;
    }
    return product.isAtLeast(10, 6, 0) ? Match.SUPPORTED : Match.TOO_OLD;
  }

  @Override
  public boolean readsAlone() {
    return false;
  }

  // asking costs a round trip; the server refuses, see faults
  @Override
  public boolean isReadOnly(Connection connection) {
    return false;
  }

  @Override
  public Map<String, Object> limits(Limits limits) {
    return Map.of(
        "lock_wait", Math.max(1, limits.lockWait().toSeconds()),
        "idle", Math.max(1, limits.idle().toSeconds()),
        "idle_write", Math.max(1, limits.idle().toSeconds()),
        "statement", Math.max(1, limits.statement().toSeconds()));
  }

  @Override
  public FaultCodes faults() {
    return InnoDbFaults.with(
        Map.ofEntries(
            entry(1020, Fault.RETRY), entry(1927, Fault.CONNECTION), entry(1969, Fault.SLOW)),
        // the driver went on to another server, where the session has no limits
        Map.of("25S03", Fault.CONNECTION));
  }

  @Override
  public String clock() {
    return "UTC_TIMESTAMP(6)";
  }

  @Override
  public String boundClock() {
    return "CAST(:now AS DATETIME(6))";
  }

  @Override
  public Object bind(MessageId id) {
    return id.toBytes();
  }

  @Override
  public Object bind(Instant instant) {
    return LocalDateTime.ofInstant(instant.truncatedTo(ChronoUnit.MICROS), ZoneOffset.UTC);
  }

  @Override
  public MessageId messageId(ResultSet row, int column) throws SQLException {
    return MessageId.fromBytes(row.getBytes(column));
  }

  @Override
  public @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    LocalDateTime value = row.getObject(column, LocalDateTime.class);
    return value == null ? null : value.toInstant(ZoneOffset.UTC);
  }

  @Override
  public int maxIdentifier() {
    return 64;
  }
}
