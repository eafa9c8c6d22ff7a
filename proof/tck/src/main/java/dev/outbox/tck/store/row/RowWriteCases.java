package dev.outbox.tck.store.row;

import static dev.outbox.tck.fixture.Sample.unkeyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.tck.fixture.Opener;
import java.sql.Savepoint;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the publisher writes in a claim commits with it. */
public abstract class RowWriteCases extends RowCases {
  protected RowWriteCases(Opener opener) {
    super(opener);
  }

  @Test
  void what_the_publisher_writes_commits_with_the_claim() throws Exception {
    enqueue(1);
    RowStore worker = worker();
    try (RowClaim claim = worker.claim(1)) {
      store().append(claim.transaction(), List.of(unkeyed("effect")));
      assertThat(claim.transaction().getAutoCommit()).isFalse();
      claim.settle(deliver(claim.messages()));
    }
    try (RowClaim claim = worker.claim(10)) {
      assertThat(claimed(claim)).containsExactly("effect");
    }
  }

  @Test
  void what_the_publisher_writes_goes_when_the_claim_is_closed_unsettled() throws Exception {
    enqueue(1);
    RowStore worker = worker();
    try (RowClaim claim = worker.claim(1)) {
      store().append(claim.transaction(), List.of(unkeyed("effect")));
    }
    try (RowClaim claim = worker.claim(10)) {
      assertThat(claimed(claim)).containsExactly("m 0");
    }
  }

  @Test
  void what_a_publisher_undoes_to_a_savepoint_is_undone_alone() throws Exception {
    enqueue(2);
    RowStore worker = worker();
    try (RowClaim claim = worker.claim(2)) {
      store().append(claim.transaction(), List.of(unkeyed("kept")));
      Savepoint savepoint = claim.transaction().setSavepoint();
      store().append(claim.transaction(), List.of(unkeyed("undone")));
      claim.transaction().rollback(savepoint);
      claim.settle(deliver(claim.messages()));
    }
    try (RowClaim claim = worker.claim(10)) {
      assertThat(claimed(claim)).containsExactly("kept");
    }
  }
}
