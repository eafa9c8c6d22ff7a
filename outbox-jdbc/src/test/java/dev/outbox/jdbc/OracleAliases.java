package dev.outbox.jdbc;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;

/** Functions of Oracle that H2's Oracle mode lacks. Public, so that H2 can call them. */
public final class OracleAliases {
  private OracleAliases() {}

  /** SYS_EXTRACT_UTC. */
  public static LocalDateTime utc(OffsetDateTime time) {
    return time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
  }

  /** NUMTODSINTERVAL, of seconds. */
  public static @Nullable Duration interval(@Nullable BigDecimal number, String unit) {
    if (!unit.equals("SECOND")) {
      throw new IllegalArgumentException(unit);
    }
    return number == null
        ? null
        : Duration.ofSeconds(
            number.longValue(), number.remainder(BigDecimal.ONE).movePointRight(9).longValue());
  }

  /** DBMS_LOB.GETLENGTH, of either kind. */
  public static @Nullable Long length(@Nullable Value lob) {
    if (lob == null || lob.getValueType() == Value.NULL) {
      return null;
    }
    return lob.getValueType() == Value.CLOB ? lob.charLength() : lob.octetLength();
  }

  /** TO_CLOB. */
  public static @Nullable String clob(@Nullable String text) {
    return text;
  }

  /** What a session is told of itself; of H2's the schema. */
  public static String context(Connection connection, String namespace, String name)
      throws SQLException {
    if (!name.equals("CURRENT_SCHEMA")) {
      throw new IllegalArgumentException(namespace + " has no " + name + " here");
    }
    return connection.getSchema();
  }
}
