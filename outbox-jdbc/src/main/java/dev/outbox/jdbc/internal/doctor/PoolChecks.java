package dev.outbox.jdbc.internal.doctor;

import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.internal.doctor.base.ConnectionLoan;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.spi.Usage;
import java.util.List;

/** What is asked of all connections that are needed at a time. */
final class PoolChecks {
  private PoolChecks() {}

  static List<Finding> at(ConnectionLoan connectionLoan, Usage usage) {
    int lent = connectionLoan.lent().size();
    return FindingCode.POOL_TOO_SMALL.when(
        lent < usage.connections(),
        "a %s needs %d connections at a time, the pool gave %d (%s). Raise its maximum by %d, or give the relay a store over a pool of its own, which commits over this one wake only through a PostgresWakeup of both"
            .formatted(
                usage.role(),
                usage.connections(),
                lent,
                connectionLoan.reason(),
                usage.connections() - lent));
  }
}
