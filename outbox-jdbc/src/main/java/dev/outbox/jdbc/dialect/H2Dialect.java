package dev.outbox.jdbc.dialect;

import static java.util.Map.entry;

import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to H2, the embedded database.
 *
 * <p>Stateless.
 */
public final class H2Dialect implements Dialect {
  @Override
  public String name() {
    return "h2";
  }

  @Override
  public String supported() {
    return "H2 2.3 or newer";
  }

  @Override
  public List<String> folders() {
    return List.of("common", "ansi", "h2");
  }

  @Override
  public Match match(Product product) {
    if (!product.name().equals("H2")) {
      return Match.OTHER;
    }
    return product.isAtLeast(2, 3, 0) ? Match.SUPPORTED : Match.TOO_OLD;
  }

  @Override
  public boolean readsAlone() {
    return false;
  }

  @Override
  public boolean isReadOnly(Connection connection) throws SQLException {
    return connection.isReadOnly();
  }

  @Override
  public Map<String, Object> limits(Limits limits) {
    return Map.of("lock_wait", Math.toIntExact(wait(limits)));
  }

  // a wait cannot be cut by another thread, so it is short: the session repeats what lost a race
  private static long wait(Limits limits) {
    return Math.max(1, Math.min(1000, limits.lockWait().toMillis()));
  }

  // its driver releases a savepoint without asking the database
  @Override
  public String transactionName() {
    return "SELECT TRANSACTION_ID()";
  }

  // 90028 and 90031 are of the network, and in this JVM of the database's file, which may be full
  // for a while
  @Override
  public FaultCodes faults() {
    return new FaultCodes(
        Map.ofEntries(
            entry(40001, Fault.RETRY),
            entry(50200, Fault.RETRY),
            entry(90131, Fault.RETRY),
            entry(57014, Fault.SLOW),
            entry(50000, Fault.CONNECTION), // inside of H2, as of a session that is ended beside it
            entry(90007, Fault.CONNECTION),
            entry(90028, Fault.CONNECTION),
            entry(90031, Fault.CONNECTION),
            entry(90067, Fault.CONNECTION),
            entry(90098, Fault.CONNECTION),
            entry(90121, Fault.CONNECTION),
            entry(90097, Fault.READ_ONLY),
            entry(42102, Fault.MISSING),
            entry(42103, Fault.MISSING),
            entry(42104, Fault.MISSING),
            entry(42122, Fault.MISSING),
            entry(90079, Fault.MISSING),
            entry(90096, Fault.DENIED),
            entry(23505, Fault.DUPLICATE)),
        Map.of());
  }

  @Override
  public String clock() {
    return "CURRENT_TIMESTAMP(6)";
  }

  @Override
  public String boundClock() {
    return "CAST(:now AS timestamp(6) with time zone)";
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
    return 256;
  }
}
