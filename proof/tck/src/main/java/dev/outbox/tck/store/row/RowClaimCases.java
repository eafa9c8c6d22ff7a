package dev.outbox.tck.store.row;

import static dev.outbox.tck.fixture.Sample.numbers;
import static dev.outbox.tck.fixture.Sample.unkeyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.StoreException;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Workers lock the messages themselves, in one transaction each. */
public abstract class RowClaimCases extends RowCases {
  protected RowClaimCases(Opener opener) {
    super(opener);
  }

  private static void deliverAll(RowStore worker) {
    try (RowClaim claim = worker.claim(1_000)) {
      claim.settle(deliver(claim.messages()));
    }
  }

  @Test
  void a_claim_takes_the_oldest_and_no_more_than_asked() throws Exception {
    enqueue(10);
    try (RowClaim claim = worker().claim(4)) {
      assertThat(claimed(claim)).isEqualTo(numbers("m", 4));
      assertThat(claim.messages())
          .noneMatch(StoredEnvelope::isParked)
          .allMatch(each -> each.lane().equals(LANE));
    }
  }

  @Test
  void a_claim_leaves_held_topics_where_they_are() throws Exception {
    commit(
        Sample.of("full", null, "full 0"),
        Sample.of("orders", null, "m 0"),
        Sample.of("full", null, "full 1"),
        Sample.of("fuller", null, "m 1"),
        Sample.of("ful", null, "m 2"),
        Sample.of("Full", null, "m 3"));
    RowStore worker = worker();
    try (RowClaim claim = worker.claim(2, Set.of("full", "other"))) {
      assertThat(claimed(claim)).isEqualTo(numbers("m", 2));
      try (RowClaim full = worker().claim(10)) {
        assertThat(claimed(full)).containsExactly("full 0", "full 1", "m 2", "m 3");
      }
      claim.settle(deliver(claim.messages()));
    }
    try (RowClaim claim = worker.claim(10, Set.of("full"))) {
      assertThat(claimed(claim)).containsExactly("m 2", "m 3");
    }
  }

  @Test
  void a_claim_of_an_empty_table_is_empty() {
    RowStore worker = worker();
    try (RowClaim claim = worker.claim(4)) {
      assertThat(claim.messages()).isEmpty();
      claim.settle(List.of());
    }
    try (RowClaim claim = worker.claimDue(4, Set.of())) {
      assertThat(claim.messages()).isEmpty();
    }
    assertThat(worker.promoteDue(4)).isZero();
  }

  @Test
  void claims_skip_what_others_have_claimed() throws Exception {
    enqueue(10);
    try (RowClaim first = worker().claim(4);
        RowClaim second = Crew.within(SOON, () -> worker().claim(4));
        RowClaim third = Crew.within(SOON, () -> worker().claim(4))) {
      assertThat(claimed(first)).isEqualTo(numbers("m", 10).subList(0, 4));
      assertThat(claimed(second)).isEqualTo(numbers("m", 10).subList(4, 8));
      assertThat(claimed(third)).isEqualTo(numbers("m", 10).subList(8, 10));
      second.settle(deliver(second.messages()));
      first.settle(deliver(first.messages()));
    }
    RowStore worker = worker();
    try (RowClaim rest = worker.claim(10)) {
      assertThat(claimed(rest)).containsExactly("m 8", "m 9");
    }
  }

  @Test
  void an_uncommitted_message_makes_no_claim_and_no_settle_wait() throws Exception {
    Connection before = begin();
    store().append(before, List.of(unkeyed("before")));
    enqueue(3);
    Connection after = begin(Connection.TRANSACTION_SERIALIZABLE);
    store().append(after, List.of(unkeyed("after")));
    RowStore worker = worker();
    try (RowClaim claim = Crew.within(SOON, () -> worker.claim(10))) {
      assertThat(claimed(claim)).isEqualTo(numbers("m", 3));
      Crew.within(
          SOON,
          () -> {
            claim.settle(deliver(claim.messages()));
            return 0;
          });
    }
    before.commit();
    after.commit();
    try (RowClaim claim = worker.claim(10)) {
      assertThat(claimed(claim)).containsExactlyInAnyOrder("before", "after");
    }
  }

  @Test
  void a_claim_makes_no_writer_wait() throws Exception {
    enqueue(3);
    RowStore worker = worker();
    try (RowClaim claim = worker.claim(10)) {
      Crew.within(
          SOON,
          () -> {
            enqueue(3);
            return 0;
          });
      claim.settle(deliver(claim.messages()));
    }
    try (RowClaim claim = worker.claim(10)) {
      assertThat(claim.messages()).hasSize(3);
    }
  }

  @Test
  void a_claim_closed_without_settle_leaves_everything_as_before() throws Exception {
    enqueue(3);
    RowStore worker = worker();
    List<Long> ids;
    try (RowClaim claim = worker.claim(10)) {
      ids = ids(claim.messages());
    }
    try (RowClaim claim = worker.claim(10)) {
      assertThat(ids(claim.messages())).isEqualTo(ids);
    }
  }

  @Test
  void a_session_closed_without_settle_leaves_everything_as_before() throws Exception {
    enqueue(3);
    RowStore first = worker();
    assertThat(first.claim(10).messages()).hasSize(3);
    first.close();
    try (RowClaim claim = worker().claim(10)) {
      assertThat(claimed(claim)).isEqualTo(numbers("m", 3));
    }
  }

  @Test
  void delivered_messages_stay_gone() throws Exception {
    enqueue(3);
    RowStore worker = worker();
    deliverAll(worker);
    try (RowClaim claim = worker.claim(10)) {
      assertThat(claim.messages()).isEmpty();
    }
  }

  @Test
  void messages_without_a_fate_are_put_back_where_they_were() throws Exception {
    enqueue(4);
    RowStore worker = worker();
    List<Long> ids;
    try (RowClaim claim = worker.claim(10)) {
      ids = ids(claim.messages());
      claim.settle(deliver(claim.messages().subList(1, 3)));
    }
    try (RowClaim claim = worker.claim(10)) {
      assertThat(claimed(claim)).containsExactly("m 0", "m 3");
      assertThat(ids(claim.messages())).containsExactly(ids.get(0), ids.get(3));
      claim.settle(List.of());
    }
    try (RowClaim claim = worker.claim(10)) {
      assertThat(claimed(claim)).containsExactly("m 0", "m 3");
    }
  }

  @Test
  void a_session_that_dies_frees_its_messages() throws Exception {
    enqueue(3);
    RowStore doomed = store().rows(LONGEST);
    RowClaim claim = doomed.claim(10);
    assertThat(claim.messages()).hasSize(3);
    environment().kill(claim.transaction());
    RowStore worker = worker();
    long deadline = System.nanoTime() + SOON.toNanos();
    List<String> freed = List.of();
    while (freed.isEmpty() && System.nanoTime() < deadline) {
      try (RowClaim next = worker.claim(10)) {
        freed = claimed(next);
      }
    }
    assertThat(freed).isEqualTo(numbers("m", 3));
    assertThatThrownBy(() -> claim.settle(deliver(claim.messages())))
        .isInstanceOf(StoreException.class);
    closeQuietly(claim);
    closeQuietly(doomed);
  }

  /** A dead session may say so once more. */
  private static void closeQuietly(AutoCloseable resource) throws Exception {
    try {
      resource.close();
    } catch (StoreException e) {
      assertThat(e.isTransient()).isTrue();
    }
  }
}
