package dev.outbox.jdbc.internal.doctor;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.ConnectionLoan;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.jdbc.internal.session.HikariPool;
import dev.outbox.spi.Usage;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** What is asked of all connections that are needed at a time. */
final class PoolChecks {
  private PoolChecks() {}

  static List<Finding> at(ConnectionLoan connectionLoan, DataSource dataSource, Usage usage) {
    int lent = connectionLoan.lent().size();
    return lent < usage.connections()
        ? List.of(tooSmall(connectionLoan, lent, usage))
        : emptied(HikariPool.maximum(dataSource), usage);
  }

  private static Finding tooSmall(ConnectionLoan connectionLoan, int lent, Usage usage) {
    return FindingCode.POOL_TOO_SMALL.finding(
        "raise the maximum of the pool by %d: a %s needs %d connections at a time, the pool lent %d (%s). Or give the relay a store over its own pool; commits over this pool then wake it only through a PostgresWakeup of both"
            .formatted(
                usage.connections() - lent,
                usage.role().name().toLowerCase(Locale.ROOT),
                usage.connections(),
                lent,
                connectionLoan.reason()));
  }

  /**
   * A relay keeps its connections for as long as it runs, and a caller that asks for another waits.
   */
  private static List<Finding> emptied(OptionalInt maximum, Usage usage) {
    boolean empty = usage.role() == Usage.Role.RELAY && maximum.orElse(0) == usage.connections();
    return FindingCode.POOL_EMPTIED.when(
        empty,
        "the relay keeps up to %d of the %d connections of its pool, which leaves the application none. Raise its maximumPoolSize, unless the pool is the relay's alone"
            .formatted(usage.connections(), maximum.orElse(0)));
  }
}
