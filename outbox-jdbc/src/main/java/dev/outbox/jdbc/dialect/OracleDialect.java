package dev.outbox.jdbc.dialect;

import static java.util.Map.entry;

import dev.outbox.message.MessageId;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to Oracle.
 *
 * <p>Stateless.
 */
public final class OracleDialect implements Dialect {
  @Override
  public String name() {
    return "oracle";
  }

  @Override
  public String supported() {
    return "Oracle 19c or newer";
  }

  @Override
  public List<String> folders() {
    return List.of("common", "ansi", "oracle");
  }

  @Override
  public Match match(Product product) {
    if (!product.name().equals("Oracle")) {
      return Match.OTHER;
    }
    return product.isAtLeast(19, 0, 0) ? Match.SUPPORTED : Match.TOO_OLD;
  }

  @Override
  public boolean readsAlone() {
    return false;
  }

  @Override
  public boolean isReadOnly(Connection connection) throws SQLException {
    return connection.isReadOnly();
  }

  // no limit of a session can be set by the session: the profile and MAX_IDLE_BLOCKER_TIME are the
  // administrator's
  @Override
  public Map<String, Object> limits(Limits limits) {
    return Map.of();
  }

  @Override
  public FaultCodes faults() {
    return new FaultCodes(
        Map.ofEntries(
            entry(54, Fault.RETRY),
            entry(60, Fault.RETRY),
            entry(1555, Fault.RETRY),
            entry(4020, Fault.RETRY),
            entry(4021, Fault.RETRY),
            entry(8176, Fault.RETRY),
            entry(8177, Fault.RETRY),
            entry(30006, Fault.RETRY),
            entry(22, Fault.CONNECTION),
            entry(28, Fault.CONNECTION),
            entry(1012, Fault.CONNECTION),
            entry(1033, Fault.CONNECTION),
            entry(1034, Fault.CONNECTION),
            entry(1041, Fault.CONNECTION),
            entry(1089, Fault.CONNECTION),
            entry(1090, Fault.CONNECTION),
            entry(1092, Fault.CONNECTION),
            entry(2396, Fault.CONNECTION),
            entry(2399, Fault.CONNECTION),
            entry(3113, Fault.CONNECTION),
            entry(3114, Fault.CONNECTION),
            entry(3135, Fault.CONNECTION),
            entry(12170, Fault.CONNECTION),
            entry(12505, Fault.CONNECTION),
            entry(12514, Fault.CONNECTION),
            entry(12516, Fault.CONNECTION),
            entry(12518, Fault.CONNECTION),
            entry(12519, Fault.CONNECTION),
            entry(12520, Fault.CONNECTION),
            entry(12528, Fault.CONNECTION),
            entry(12537, Fault.CONNECTION),
            entry(12541, Fault.CONNECTION),
            entry(12543, Fault.CONNECTION),
            entry(12547, Fault.CONNECTION),
            entry(12570, Fault.CONNECTION),
            entry(12571, Fault.CONNECTION),
            entry(17002, Fault.CONNECTION),
            entry(17008, Fault.CONNECTION),
            entry(17410, Fault.CONNECTION),
            entry(17447, Fault.CONNECTION),
            entry(17800, Fault.CONNECTION),
            entry(18730, Fault.CONNECTION),
            entry(25401, Fault.CONNECTION),
            entry(25402, Fault.CONNECTION),
            entry(25408, Fault.CONNECTION),
            entry(18, Fault.PASSING),
            entry(20, Fault.PASSING),
            entry(257, Fault.PASSING),
            entry(1013, Fault.SLOW),
            entry(1536, Fault.PASSING),
            entry(1652, Fault.PASSING),
            entry(1653, Fault.PASSING),
            entry(1654, Fault.PASSING),
            entry(1688, Fault.PASSING),
            entry(1691, Fault.PASSING),
            entry(4031, Fault.PASSING),
            entry(30036, Fault.PASSING),
            entry(1456, Fault.READ_ONLY),
            entry(16000, Fault.READ_ONLY),
            entry(904, Fault.MISSING),
            entry(942, Fault.MISSING),
            entry(2289, Fault.MISSING),
            entry(1031, Fault.DENIED),
            entry(1950, Fault.DENIED),
            entry(41900, Fault.DENIED),
            entry(1, Fault.DUPLICATE),
            entry(2091, Fault.REFUSED), // at a commit, which the driver takes for what may pass
            entry(955, Fault.EXISTS),
            entry(1418, Fault.EXISTS),
            entry(1430, Fault.EXISTS),
            entry(2264, Fault.EXISTS),
            entry(2443, Fault.EXISTS),
            entry(1408, Fault.EXISTS)),
        Map.of());
  }

  @Override
  public String clock() {
    return "SYS_EXTRACT_UTC(SYSTIMESTAMP)";
  }

  @Override
  public String boundClock() {
    return "CAST(:now AS TIMESTAMP(6))";
  }

  @Override
  public Object bind(MessageId id) {
    return ByteBuffer.allocate(16)
        .putLong(id.value().getMostSignificantBits())
        .putLong(id.value().getLeastSignificantBits())
        .array();
  }

  @Override
  public Object bind(Instant instant) {
    return LocalDateTime.ofInstant(instant.truncatedTo(ChronoUnit.MICROS), ZoneOffset.UTC);
  }

  @Override
  public MessageId messageId(ResultSet row, int column) throws SQLException {
    ByteBuffer bytes = ByteBuffer.wrap(row.getBytes(column));
    return new MessageId(new UUID(bytes.getLong(), bytes.getLong()));
  }

  @Override
  public @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    LocalDateTime value = row.getObject(column, LocalDateTime.class);
    return value == null ? null : value.toInstant(ZoneOffset.UTC);
  }

  @Override
  public int maxIdentifier() {
    return 128;
  }

  // a string of up to 1000 characters is at most 4000 bytes, the most that a SELECT list takes
  // (ORA-01461)
  @Override
  public int longestString() {
    return 1000;
  }
}
