package dev.outbox.jdbc.dialect;

import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to one database beside its SQL, which is in the files of {@link
 * dev.outbox.jdbc.sql}.
 *
 * <p>Stateless.
 */
public interface Dialect {
  // identity

  /** The folder of its DDL, in lower case. */
  String name();

  /** What it supports, in words. */
  String supported();

  /** The folders of its SQL: what is in a later one replaces what is in an earlier one. */
  List<String> folders();

  Match match(Product product);

  /** Whether a dialect is for a product. */
  enum Match {
    /** Its SQL is for this product and version. */
    SUPPORTED,
    /** The product is right, its version is too old. */
    TOO_OLD,
    /** It is another product. */
    OTHER
  }

  // sessions

  /** Whether autocommit is turned on and off without a round trip, so that a read alone is one. */
  boolean readsAlone();

  /** Whether the connection only reads, asked without a round trip; where that costs one, false. */
  boolean isReadOnly(Connection connection) throws SQLException;

  /** The limits in the server's units, by the names of the columns that tell those of a session. */
  Map<String, Object> limits(Limits limits);

  /**
   * The query of what names a session's transaction, where releasing a savepoint does not tell that
   * it has ended; null elsewhere.
   */
  default @Nullable String transactionName() {
    return null;
  }

  // error codes

  FaultCodes faults();

  // clock

  /** The expression of the database's clock. */
  String clock();

  /** The expression of a clock bound as {@code :now}. */
  String boundClock();

  // types

  /** The form in which a message id is bound. */
  Object bind(MessageId id);

  MessageId messageId(ResultSet row, int column) throws SQLException;

  /** The form in which an instant is bound, at microseconds. */
  Object bind(Instant instant);

  @Nullable Instant instant(ResultSet row, int column) throws SQLException;

  // limits

  /** The longest identifier, in characters. */
  int maxIdentifier();

  /** The longest text bound as a string, in characters; longer ones are bound as CLOBs. */
  default int longestString() {
    return Integer.MAX_VALUE;
  }
}
