package dev.outbox.jdbc.internal.reference;

import dev.outbox.jdbc.internal.message.JsonText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a column of an application's table is read: as a payload, or as a part of a JSON object. */
enum ColumnCodec {
  BYTES,
  TEXT,
  JSON,
  NUMBER,
  SHORT_FLOATING,
  FLOATING,
  BOOLEAN,
  DATE,
  TIME,
  YEAR,
  DATE_TIME,
  INSTANT;

  private static final int ORACLE_TIMESTAMP_TZ = -101;
  private static final int ORACLE_BINARY_FLOAT = 100;
  private static final int ORACLE_BINARY_DOUBLE = 101;

  /** Decimals of PostgreSQL for which neither Java nor JSON has a number. */
  private static final Set<String> NOT_FINITE = Set.of("NaN", "Infinity", "-Infinity");

  /** How a column is read, or null when its type has no plain form. */
  static @Nullable ColumnCodec of(ResultSetMetaData columns, int column) throws SQLException {
    String type = columns.getColumnTypeName(column).toLowerCase(Locale.ROOT);
    return switch (type) {
      case "json", "jsonb" -> JSON;
      case "uuid" -> TEXT;
      case "timestamptz" -> INSTANT;
      case "timetz" -> TIME;
      case "year" -> YEAR;
      case "bit" -> columns.getPrecision(column) > 1 ? null : BOOLEAN;
      case "real" -> SHORT_FLOATING; // of FLOAT(24) H2 says FLOAT, as of FLOAT(53)
      default -> of(columns.getColumnType(column));
    };
  }

  private static @Nullable ColumnCodec of(int type) {
    return switch (type) {
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> BYTES;
      case Types.CHAR,
          Types.VARCHAR,
          Types.LONGVARCHAR,
          Types.CLOB,
          Types.NCHAR,
          Types.NVARCHAR,
          Types.LONGNVARCHAR,
          Types.NCLOB ->
          TEXT;
      case Types.TINYINT,
          Types.SMALLINT,
          Types.INTEGER,
          Types.BIGINT,
          Types.NUMERIC,
          Types.DECIMAL ->
          NUMBER;
      case Types.REAL, ORACLE_BINARY_FLOAT -> SHORT_FLOATING;
      case Types.FLOAT, Types.DOUBLE, ORACLE_BINARY_DOUBLE -> FLOATING;
      case Types.BIT, Types.BOOLEAN -> BOOLEAN;
      case Types.DATE -> DATE;
      case Types.TIME -> TIME;
      case Types.TIMESTAMP -> DATE_TIME;
      case Types.TIMESTAMP_WITH_TIMEZONE, ORACLE_TIMESTAMP_TZ -> INSTANT;
      default -> null;
    };
  }

  /** True when a column of this kind can be a payload by itself. */
  boolean isPayload() {
    return this == BYTES || this == TEXT || this == JSON;
  }

  String contentType() {
    return switch (this) {
      case BYTES -> "application/octet-stream";
      case JSON -> "application/json";
      default -> "text/plain; charset=utf-8";
    };
  }

  /** The value as a payload, or null for NULL. */
  byte @Nullable [] bytes(ResultSet row, int column) throws SQLException {
    if (this == BYTES) {
      return row.getBytes(column);
    }
    String text = row.getString(column);
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  /** Appends the value as JSON. */
  void json(ResultSet row, int column, StringBuilder json) throws SQLException {
    String bare = bare(row, column);
    if (bare != null) {
      json.append(bare);
      return;
    }
    String text = text(row, column);
    if (text == null) {
      json.append("null");
    } else {
      JsonText.string(json, text);
    }
  }

  /** The value as JSON without quotes, or null when it has none. */
  private @Nullable String bare(ResultSet row, int column) throws SQLException {
    switch (this) {
      case JSON -> {
        return row.getString(column);
      }
      case NUMBER -> {
        String number = row.getString(column);
        boolean isBare = number != null && !NOT_FINITE.contains(number);
        return isBare ? new BigDecimal(number).toPlainString() : null;
      }
      case SHORT_FLOATING -> {
        float number = row.getFloat(column);
        return row.wasNull() || !Float.isFinite(number) ? null : Float.toString(number);
      }
      case FLOATING -> {
        double number = row.getDouble(column);
        return row.wasNull() || !Double.isFinite(number) ? null : Double.toString(number);
      }
      case YEAR -> {
        int year = row.getInt(column);
        return row.wasNull() ? null : Integer.toString(year);
      }
      case BOOLEAN -> {
        boolean value = row.getBoolean(column);
        return row.wasNull() ? null : Boolean.toString(value);
      }
      default -> {
        return null;
      }
    }
  }

  private @Nullable String text(ResultSet row, int column) throws SQLException {
    return switch (this) {
      case BYTES -> {
        byte[] bytes = row.getBytes(column);
        yield bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
      }
      case DATE -> iso(row.getObject(column, LocalDate.class));
      case DATE_TIME -> iso(row.getObject(column, LocalDateTime.class));
      case INSTANT -> {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        yield time == null ? null : time.toInstant().toString();
      }
      default -> row.getString(column); // Java's times have no zone, and no more than a day
    };
  }

  private static @Nullable String iso(@Nullable Object time) {
    return time == null ? null : time.toString();
  }
}
