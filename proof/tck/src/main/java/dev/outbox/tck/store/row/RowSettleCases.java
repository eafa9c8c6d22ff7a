package dev.outbox.tck.store.row;

import static dev.outbox.tck.fixture.Sample.numbers;
import static dev.outbox.tck.fixture.Sample.unkeyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.message.Envelope;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What became of the messages of a claim is written with its end. */
public abstract class RowSettleCases extends RowCases {
  protected RowSettleCases(Opener opener) {
    super(opener);
  }

  @Test
  void failed_messages_are_parked_and_claimed_again_when_due() throws Exception {
    enqueue(3);
    RowStore worker = worker();
    try (RowClaim claim = worker.claim(10)) {
      List<StoredEnvelope> messages = claim.messages();
      claim.settle(List.of(fail(messages.get(0), LEASE), fail(messages.get(1), Duration.ZERO)));
    }
    try (RowClaim claim = worker.claimDue(10, Set.of())) {
      assertThat(claimed(claim)).containsExactly("m 1");
      assertThat(requireParking(claim.messages().get(0)).attempts()).isEqualTo(1);
      claim.settle(List.of(fail(claim.messages().get(0), 2, LEASE)));
    }
    try (RowClaim claim = worker.claimDue(10, Set.of())) {
      assertThat(claim.messages()).isEmpty();
    }
    passTime(LEASE.plusSeconds(1));
    try (RowClaim claim = worker.claimDue(10, Set.of())) {
      assertThat(claimed(claim)).containsExactlyInAnyOrder("m 0", "m 1");
      claim.settle(deliver(claim.messages()));
    }
    try (RowClaim claim = worker.claimDue(10, Set.of())) {
      assertThat(claim.messages()).isEmpty();
    }
  }

  @Test
  void a_reference_stays_the_same_through_every_table() throws Exception {
    Envelope reference = Sample.reference(null, "mail_deliveries", "7");
    commit(Sample.ready(LANE, reference));
    RowStore worker = worker();
    try (RowClaim claim = worker.claim(10)) {
      claim.settle(List.of());
    }
    try (RowClaim claim = worker.claim(10)) {
      Sample.assertSame(claim.messages().get(0).envelope(), reference);
      claim.settle(List.of(fail(claim.messages().get(0), Duration.ZERO)));
    }
    try (RowClaim claim = worker.claimDue(10, Set.of())) {
      Sample.assertSame(claim.messages().get(0).envelope(), reference);
      claim.settle(List.of(bury(claim.messages().get(0))));
    }
    DeadLetter letter = store().deadLetters().page(Filter.all(), 0, 10).get(0);
    Sample.assertSame(letter.envelope(), reference);
    store().deadLetters().replay(List.of(letter.id()));
    try (RowClaim claim = worker.claim(10)) {
      Sample.assertSame(claim.messages().get(0).envelope(), reference);
    }
  }

  @Test
  void due_messages_without_a_fate_stay_parked_as_they_were() throws Exception {
    enqueue(2);
    RowStore worker = worker();
    try (RowClaim claim = worker.claim(10)) {
      claim.settle(claim.messages().stream().map(each -> fail(each, 3, Duration.ZERO)).toList());
    }
    passTime(Duration.ofMinutes(10));
    try (RowClaim claim = worker.claimDue(10, Set.of())) {
      claim.settle(deliver(claim.messages().subList(0, 1)));
    }
    try (RowClaim claim = worker.claimDue(10, Set.of())) {
      assertThat(claim.messages()).hasSize(1);
      RetryState retryState = requireParking(claim.messages().get(0));
      assertThat(retryState.attempts()).isEqualTo(3);
      assertThat(retryState.history()).isEqualTo("history 3");
      assertThat(retryState.failing()).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(11));
    }
  }

  @Test
  void of_due_messages_the_one_that_was_due_first_is_claimed_first() throws Exception {
    enqueue(2);
    RowStore worker = worker();
    try (RowClaim claim = worker.claim(10)) {
      List<StoredEnvelope> messages = claim.messages();
      claim.settle(List.of(fail(messages.get(0), LEASE), fail(messages.get(1), SOON)));
    }
    passTime(LEASE.plusSeconds(1));
    try (RowClaim claim = worker.claimDue(1, Set.of())) {
      assertThat(claimed(claim)).containsExactly("m 1");
    }
  }

  @Test
  void due_claims_skip_what_others_have_claimed() throws Exception {
    enqueue(4);
    RowStore worker = worker();
    try (RowClaim claim = worker.claim(10)) {
      claim.settle(claim.messages().stream().map(each -> fail(each, Duration.ZERO)).toList());
    }
    try (RowClaim first = worker.claimDue(2, Set.of());
        RowClaim second = Crew.within(SOON, () -> worker().claimDue(10, Set.of()))) {
      assertThat(first.messages()).hasSize(2);
      assertThat(second.messages()).hasSize(2);
      assertThat(ids(first.messages())).doesNotContainAnyElementsOf(ids(second.messages()));
      first.settle(deliver(first.messages()));
      second.settle(deliver(second.messages()));
    }
  }

  @Test
  void rejected_messages_are_buried_and_can_be_replayed() throws Exception {
    enqueue(2);
    RowStore worker = worker();
    try (RowClaim claim = worker.claim(10)) {
      claim.settle(claim.messages().stream().map(StoreCases::bury).toList());
    }
    DeadStore dead = store().deadLetters();
    List<DeadLetter.Id> numbers =
        dead.page(Filter.all(), 0, 10).stream().map(DeadLetter::id).toList();
    assertThat(dead.replay(numbers)).isEqualTo(2);
    try (RowClaim claim = worker.claim(10)) {
      assertThat(claimed(claim)).isEqualTo(numbers("m", 2));
    }
  }

  @Test
  void parked_messages_are_buried_too() throws Exception {
    enqueue(1);
    RowStore worker = worker();
    try (RowClaim claim = worker.claim(10)) {
      claim.settle(List.of(fail(claim.messages().get(0), Duration.ZERO)));
    }
    try (RowClaim claim = worker.claimDue(10, Set.of())) {
      claim.settle(List.of(bury(claim.messages().get(0))));
    }
    assertThat(store().deadLetters().count(Filter.all(), 10)).isEqualTo(1);
    try (RowClaim claim = worker.claimDue(10, Set.of())) {
      assertThat(claim.messages()).isEmpty();
    }
  }

  @Test
  void delayed_messages_are_promoted_when_due() throws Exception {
    commit(Sample.after(LEASE, "later"), Sample.after(SOON, "soon"));
    RowStore worker = worker();
    assertThat(worker.promoteDue(10)).isZero();
    passTime(SOON.plusSeconds(1));
    assertThat(worker.promoteDue(10)).isEqualTo(1);
    try (RowClaim claim = worker.claim(10)) {
      assertThat(claimed(claim)).containsExactly("soon");
    }
  }

  @Test
  void delivered_messages_are_archived_where_asked_for() throws Exception {
    try (StoreEnvironment kept = opener.open(StoreSetting.rows().archiving());
        RowStore worker = kept.store().rows(LONGEST)) {
      try (Connection connection = kept.applications().getConnection()) {
        connection.setAutoCommit(false);
        kept.store().append(connection, List.of(unkeyed("1"), unkeyed("2")));
        connection.commit();
      }
      try (RowClaim claim = worker.claim(10)) {
        claim.settle(deliver(claim.messages().subList(0, 1)));
      }
      kept.passTime(Duration.ofHours(2));
      assertThat(kept.store().purgeArchive(Duration.ofHours(1), Instant.EPOCH, 10).messages())
          .isEqualTo(1);
    }
  }
}
