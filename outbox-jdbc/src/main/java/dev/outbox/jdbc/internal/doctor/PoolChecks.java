package dev.outbox.jdbc.internal.doctor;

import dev.outbox.jdbc.internal.doctor.base.Loan;
import dev.outbox.jdbc.internal.doctor.base.Symptom;
import dev.outbox.store.Finding;
import dev.outbox.store.Need;
import java.util.List;

/** What is asked of all connections that are needed at a time. */
final class PoolChecks {
  private PoolChecks() {}

  static List<Finding> at(Loan loan, Need need) {
    int lent = loan.lent().size();
    return Symptom.POOL_TOO_SMALL.when(
        lent < need.connections(),
        "a %s needs %d connections at a time, the pool gave %d (%s). Raise its maximum by %d, or give the relay a store over a pool of its own, which commits over this one wake only through a PostgresWakeup of both"
            .formatted(
                need.role(), need.connections(), lent, loan.reason(), need.connections() - lent));
  }
}
