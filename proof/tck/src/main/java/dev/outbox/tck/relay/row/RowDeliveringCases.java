package dev.outbox.tck.relay.row;

import static dev.outbox.tck.fixture.FaultyStore.Fault.AFTER;
import static dev.outbox.tck.fixture.FaultyStore.Fault.BEFORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.StoreException;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is committed is published by workers, and ends where its answers say. */
public abstract class RowDeliveringCases extends RowRelayCases {
  protected RowDeliveringCases(Opener opener) {
    super(opener);
  }

  private void failOn(String text) {
    broker.fail(
        envelope -> envelope.payload().text().equals(text), new IllegalStateException("no room"));
  }

  @Test
  void what_is_committed_is_published_once_and_the_tables_end_empty() throws Exception {
    Set<MessageId> committed = new HashSet<>(commitNumbered(200));
    ManualRelay relay = started(relay("a", broker.publisher()).batch(7));
    relay.drainNow();
    committed.addAll(commitNumbered(10));
    relay.drainNow();
    assertThat(broker.ids()).isEqualTo(committed);
    assertThat(countingListener.delivered).hasValue(210);
    assertEmpty();
  }

  @Test
  void a_failed_message_waits_and_the_others_go_on() throws Exception {
    ManualRelay relay = started("a");
    failOn("u 3");
    commitNumbered(10);
    relay.drainNow();
    assertThat(texts()).hasSize(9).doesNotContain("u 3");
    broker.heal();
    pass(REST.minusSeconds(5));
    relay.drainNow();
    assertThat(texts()).hasSize(9);
    pass(Duration.ofSeconds(5));
    relay.drainNow();
    assertThat(texts()).hasSize(10);
    assertEmpty();
  }

  /** As a writer in plain SQL can leave it; no order is kept, and each failure counts. */
  @Test
  void messages_with_a_key_do_not_wait_for_each_other() throws Exception {
    try (Connection connection = begin()) {
      store()
          .append(
              connection, numbers("u", 3).stream().map(text -> Sample.keyed("k", text)).toList());
      connection.commit();
    }
    List<String> refused = new ArrayList<>();
    ManualRelay relay =
        started(
            relay(
                "a",
                flight -> {
                  for (Envelope envelope : flight.envelopes()) {
                    refused.add(envelope.payload().text());
                    flight.ack(envelope, Ack.failed(new IllegalStateException("no room")));
                  }
                }));
    relay.drainNow();
    assertThat(refused).hasSize(3);
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 3, 0, 0));
    relay.close();
    ManualRelay other = started("b");
    pass(REST);
    other.drainNow();
    assertThat(texts()).containsExactlyInAnyOrderElementsOf(numbers("u", 3));
    assertEmpty();
  }

  @Test
  void a_message_given_up_becomes_a_dead_letter_with_its_history() throws Exception {
    ManualRelay relay =
        started(
            relay("a", broker.publisher())
                .retry((attempts, failing) -> attempts < 3 ? Optional.of(REST) : Optional.empty()));
    failOn("u 0");
    commitNumbered(2);
    for (int attempt = 0; attempt < 3; attempt++) {
      relay.drainNow();
      pass(REST);
    }
    assertThat(dead()).hasSize(1);
    assertThat(dead().get(0).reason()).isEqualTo(Reason.EXHAUSTED);
    assertThat(dead().get(0).attempts()).isEqualTo(3);
    assertThat(dead().get(0).history().lines()).hasSize(3);
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 0, 0, 1));
  }

  @Test
  void a_rejected_message_dies_at_once_and_comes_back_by_replay() throws Exception {
    ManualRelay relay = started("a");
    broker.rejectIf(envelope -> envelope.payload().text().equals("u 1"), "no such account");
    List<MessageId> ids = commitNumbered(3);
    relay.drainNow();
    assertThat(dead()).extracting(DeadLetter::reason).containsExactly(Reason.REJECTED);
    broker.heal();
    deadLetters().replay(List.of(dead().get(0).id()));
    relay.drainNow();
    assertThat(broker.messages().get(2).id()).isEqualTo(ids.get(1));
    assertEmpty();
  }

  @Test
  void a_delayed_message_is_never_early() throws Exception {
    ManualRelay relay = started("a");
    commit(Message.to(TOPIC).deliverAfter(Duration.ofMinutes(1)).text("later"));
    pass(Duration.ofSeconds(55));
    relay.drainNow();
    assertThat(texts()).isEmpty();
    pass(Duration.ofSeconds(5));
    relay.drainNow();
    assertThat(texts()).containsExactly("later");
    assertEmpty();
  }

  @Test
  void an_expired_message_is_buried_unpublished() throws Exception {
    commit(Message.to(TOPIC).notAfter(store().now().minusSeconds(60)).text("expired"));
    started("a").drainNow();
    assertThat(texts()).isEmpty();
    assertThat(dead()).extracting(DeadLetter::reason).containsExactly(Reason.EXPIRED);
  }

  @Test
  void what_a_session_has_claimed_is_skipped_and_comes_back_when_it_dies() throws Exception {
    commitNumbered(10);
    ManualRelay relay = started("a");
    try (RowStore dying = store().rows(PATIENCE)) {
      RowClaim claim = dying.claim(4);
      assertThat(claim.messages()).hasSize(4);
      relay.drainNow();
      assertThat(texts()).hasSize(6);
    }
    relay.drainNow();
    assertThat(texts()).hasSize(10);
    assertEmpty();
  }

  @Test
  void a_settle_whose_reply_was_lost_doubles_nothing() throws Exception {
    ManualRelay relay = started("a");
    commitNumbered(5);
    store().failSettles(AFTER);
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    relay.drainNow();
    assertThat(texts()).hasSize(5);
    assertEmpty();
  }

  @Test
  void a_settle_that_never_arrived_repeats_what_was_in_flight_and_loses_nothing() throws Exception {
    ManualRelay relay = started("a");
    Set<MessageId> committed = new HashSet<>(commitNumbered(5));
    store().failSettles(BEFORE);
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    assertThat(tableCounts()).isEqualTo(new TableCounts(5, 0, 0, 0));
    relay.drainNow();
    assertThat(broker.ids()).isEqualTo(committed);
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }
}
