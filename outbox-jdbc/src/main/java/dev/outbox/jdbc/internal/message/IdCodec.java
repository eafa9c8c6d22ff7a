package dev.outbox.jdbc.internal.message;

import dev.outbox.message.MessageId;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How the ids of a table are written in references, bound, and read back, by their column. */
public enum IdCodec {
  /** Whole numbers, bound as such: a decimal beside them would keep the index from being used. */
  INTEGER {
    @Override
    @Nullable
    public Object parse(String id) {
      try {
        return WHOLE.matcher(id).matches() ? Long.valueOf(id) : null;
      } catch (NumberFormatException beyondAnyColumn) {
        return null;
      }
    }

    @Override
    public void set(PreparedStatement query, int position, Object id) throws SQLException {
      query.setLong(position, (Long) id);
    }

    @Override
    public Object read(ResultSet row, int column) throws SQLException {
      return row.getLong(column);
    }
  },
  /** Whole numbers to 2^64 - 1, as MySQL and MariaDB have them. */
  UNSIGNED {
    @Override
    @Nullable
    public Object parse(String id) {
      if (!WHOLE.matcher(id).matches()) {
        return null;
      }
      BigInteger number = new BigInteger(id);
      return number.signum() < 0 || number.bitLength() > Long.SIZE ? null : number;
    }

    /** As a decimal only where it is none of Java's own: beside one the index may not be used. */
    @Override
    public void set(PreparedStatement query, int position, Object id) throws SQLException {
      BigInteger number = (BigInteger) id;
      if (number.bitLength() < Long.SIZE) {
        query.setLong(position, number.longValue());
      } else {
        query.setBigDecimal(position, new BigDecimal(number));
      }
    }

    @Override
    public Object read(ResultSet row, int column) throws SQLException {
      return row.getBigDecimal(column).toBigInteger();
    }
  },
  DECIMAL {
    @Override
    @Nullable
    public Object parse(String id) {
      return WHOLE.matcher(id).matches() ? new BigDecimal(id).stripTrailingZeros() : null;
    }

    @Override
    public void set(PreparedStatement query, int position, Object id) throws SQLException {
      query.setBigDecimal(position, (BigDecimal) id);
    }

    @Override
    public Object read(ResultSet row, int column) throws SQLException {
      return row.getBigDecimal(column).stripTrailingZeros();
    }
  },
  TEXT {
    @Override
    public Object parse(String id) {
      return id;
    }

    @Override
    public void set(PreparedStatement query, int position, Object id) throws SQLException {
      query.setString(position, (String) id);
    }

    @Override
    public Object read(ResultSet row, int column) throws SQLException {
      return row.getString(column);
    }
  },
  /** Filled up with spaces by some databases when it is read. */
  PADDED {
    @Override
    public Object parse(String id) {
      return id.stripTrailing();
    }

    @Override
    public void set(PreparedStatement query, int position, Object id) throws SQLException {
      query.setString(position, (String) id);
    }

    @Override
    public Object read(ResultSet row, int column) throws SQLException {
      return row.getString(column).stripTrailing();
    }
  },
  UUIDS {
    @Override
    @Nullable
    public Object parse(String id) {
      return uuid(id);
    }

    @Override
    public void set(PreparedStatement query, int position, Object id) throws SQLException {
      query.setObject(position, id);
    }

    @Override
    public Object read(ResultSet row, int column) throws SQLException {
      return UUID.fromString(row.getString(column));
    }
  },
  BYTES {
    @Override
    @Nullable
    public Object parse(String id) {
      return uuid(id);
    }

    @Override
    public void set(PreparedStatement query, int position, Object id) throws SQLException {
      query.setBytes(position, new MessageId((UUID) id).toBytes());
    }

    @Override
    public Object read(ResultSet row, int column) throws SQLException {
      return MessageId.fromBytes(row.getBytes(column)).value();
    }
  };

  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,38}");

  /** The form of a column, or null when its type is none for ids. */
  public static @Nullable IdCodec of(ResultSetMetaData columns, int column) throws SQLException {
    if (columns.getColumnTypeName(column).equalsIgnoreCase("uuid")) {
      return UUIDS;
    }
    return switch (columns.getColumnType(column)) {
      case Types.TINYINT, Types.SMALLINT, Types.INTEGER -> INTEGER;
      case Types.BIGINT -> columns.isSigned(column) ? INTEGER : UNSIGNED;
      case Types.NUMERIC, Types.DECIMAL -> DECIMAL;
      case Types.VARCHAR, Types.NVARCHAR -> TEXT;
      case Types.CHAR, Types.NCHAR -> PADDED;
      case Types.BINARY, Types.VARBINARY -> columns.getPrecision(column) == 16 ? BYTES : null;
      default -> null;
    };
  }

  private static @Nullable UUID uuid(String id) {
    try {
      return UUID.fromString(id);
    } catch (IllegalArgumentException noUuid) {
      return null;
    }
  }

  /** The id as a value, or null when no row can have it. */
  public abstract @Nullable Object parse(String id);

  public abstract void set(PreparedStatement query, int position, Object id) throws SQLException;

  /** The id of a row, equal to that which was parsed. */
  public abstract Object read(ResultSet row, int column) throws SQLException;
}
