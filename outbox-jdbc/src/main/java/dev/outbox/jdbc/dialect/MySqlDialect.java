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
 * What is particular to MySQL.
 *
 * <p>Stateless.
 */
public final class MySqlDialect implements Dialect {
  private static final String ZERO = "0000-00-00";

  @Override
  public String name() {
    return "mysql";
  }

  @Override
  public String supported() {
    return "MySQL 8.0.14 or newer";
  }

  @Override
  public List<String> folders() {
    return List.of("common", "mysql");
  }

  @Override
  public Match match(Product product) {
    if (!product.name().equals("MySQL") || product.isMariaDb()) {
      return Match.OTHER;
    }
    return product.isAtLeast(8, 0, 14) ? Match.SUPPORTED : Match.TOO_OLD;
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
        "statement", Math.max(1, limits.statement().toMillis()));
  }

  @Override
  public FaultCodes faults() {
    return InnoDbFaults.with(
        Map.ofEntries(
            entry(3572, Fault.RETRY),
            entry(4031, Fault.CONNECTION),
            entry(3024, Fault.SLOW),
            entry(1060, Fault.EXISTS),
            entry(1061, Fault.EXISTS),
            entry(1091, Fault.EXISTS),
            entry(3821, Fault.EXISTS),
            entry(3822, Fault.EXISTS)),
        Map.of("S1009", Fault.READ_ONLY));
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
    LocalDateTime value = date(row, column);
    return value == null ? null : value.toInstant(ZoneOffset.UTC);
  }

  /** A zero date, which a session that is not strict writes for none, is none. */
  private static @Nullable LocalDateTime date(ResultSet row, int column) throws SQLException {
    try {
      return row.getObject(column, LocalDateTime.class);
    } catch (SQLException e) {
      if (String.valueOf(row.getString(column)).startsWith(ZERO)) {
        return null;
      }
      throw e;
    }
  }

  @Override
  public int maxIdentifier() {
    return 64;
  }
}
