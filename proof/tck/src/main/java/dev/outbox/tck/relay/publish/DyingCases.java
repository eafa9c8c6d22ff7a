package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.tck.fixture.OneOfAKey;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What cannot be published ends as a dead letter, and comes back by replay. */
public abstract class DyingCases extends RelayCases {
  protected DyingCases(Opener opener) {
    super(opener);
  }

  private static RetryPolicy threeAttempts() {
    RetryPolicy policy = (attempts, failing) -> Optional.of(REST);
    return policy.atMost(3);
  }

  private void rejectOn(String text) {
    broker.rejectIf(envelope -> envelope.payload().text().equals(text), "no such account");
  }

  @Test
  void a_message_given_up_becomes_a_dead_letter_and_its_followers_go_on_pipelined()
      throws Exception {
    givesUp(broker.publisher());
  }

  @Test
  void a_message_given_up_becomes_a_dead_letter_and_its_followers_go_on_one_at_a_time()
      throws Exception {
    givesUp(new OneOfAKey(broker.publisher()));
  }

  private void givesUp(Publisher publisher) throws Exception {
    ManualRelay relay = started(relay("a", publisher).retry(threeAttempts()));
    broker.fail(
        envelope -> envelope.payload().text().equals("a 1"), new IllegalStateException("no room"));
    List<MessageId> ids = commit(numbered("a", 4));
    relay.drainNow();
    commit(message("a", "a 4"));
    pass(REST);
    relay.drainNow();
    assertThat(dead()).isEmpty();
    pass(REST);
    relay.drainNow();
    assertThat(texts("a")).containsExactly("a 0", "a 2", "a 3", "a 4");
    assertThat(dead()).hasSize(1);
    DeadLetter letter = dead().get(0);
    assertThat(letter.envelope().id()).isEqualTo(ids.get(1));
    assertThat(letter.reason()).isEqualTo(Reason.EXHAUSTED);
    assertThat(letter.attempts()).isEqualTo(3);
    assertThat(letter.error()).contains("no room");
    assertThat(letter.history().lines())
        .hasSize(3)
        .allMatch(line -> line.endsWith("java.lang.IllegalStateException: no room"));
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 0, 0, 1));
  }

  @Test
  void a_policy_without_a_retry_buries_at_the_first_failure() throws Exception {
    ManualRelay relay =
        started(relay("a", broker.publisher()).retry((attempts, failing) -> Optional.empty()));
    broker.failNext(1, new IllegalStateException("no room"));
    commit(numbered("a", 3));
    relay.drainNow();
    assertThat(texts("a")).containsExactly("a 1", "a 2");
    assertThat(dead()).extracting(DeadLetter::attempts).containsExactly(1);
    assertThat(countingListener.parked).hasValue(0);
  }

  @Test
  void a_rejected_message_dies_at_once_and_its_followers_go_on_pipelined() throws Exception {
    rejects(broker.publisher());
  }

  @Test
  void a_rejected_message_dies_at_once_and_its_followers_go_on_one_at_a_time() throws Exception {
    rejects(new OneOfAKey(broker.publisher()));
  }

  private void rejects(Publisher publisher) throws Exception {
    ManualRelay relay = started(relay("a", publisher));
    rejectOn("a 1");
    rejectOn("b 0");
    commit(numbered("a", 4));
    commit(numbered("b", 2));
    relay.drainNow();
    assertThat(texts("a")).containsExactly("a 0", "a 2", "a 3");
    assertThat(texts("b")).containsExactly("b 1");
    assertThat(dead())
        .hasSize(2)
        .allSatisfy(
            letter -> {
              assertThat(letter.reason()).isEqualTo(Reason.REJECTED);
              assertThat(letter.attempts()).isEqualTo(1);
              assertThat(letter.error()).isEqualTo("no such account");
              assertThat(letter.history()).endsWith("attempt 1: no such account");
            });
    assertThat(countingListener.deaths)
        .containsExactlyInAnyOrder(
            "a 1: REJECTED: no such account", "b 0: REJECTED: no such account");
    assertThat(countingListener.parked).hasValue(0);
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 0, 0, 2));
  }

  @Test
  void a_parked_message_that_is_rejected_frees_its_key() throws Exception {
    ManualRelay relay = started("a");
    broker.failNext(1, new IllegalStateException("no room"));
    commit(numbered("a", 3));
    relay.drainNow();
    rejectOn("a 0");
    pass(REST);
    relay.drainNow();
    assertThat(texts("a")).containsExactly("a 1", "a 2");
    assertThat(dead()).extracting(DeadLetter::attempts).containsExactly(2);
    assertThat(dead().get(0).history().lines()).hasSize(2);
    commit(message("a", "a 3"));
    relay.drainNow();
    assertThat(texts("a")).containsExactly("a 1", "a 2", "a 3");
  }

  @Test
  void an_expired_message_is_buried_unpublished_and_its_followers_go_on() throws Exception {
    ManualRelay relay = started("a");
    Instant anHourAgo = store().now().minus(Duration.ofHours(1));
    Instant inAnHour = store().now().plus(Duration.ofHours(1));
    commit(
        message("a", "before"),
        Message.to(TOPIC).key("a").notAfter(anHourAgo).text("expired"),
        Message.to(TOPIC).key("a").notAfter(inAnHour).text("in time"));
    relay.drainNow();
    assertThat(texts("a")).containsExactly("before", "in time");
    assertThat(dead()).hasSize(1);
    assertThat(dead().get(0).reason()).isEqualTo(Reason.EXPIRED);
    assertThat(dead().get(0).attempts()).isZero();
    assertThat(dead().get(0).envelope().payload().text()).isEqualTo("expired");
  }

  @Test
  void an_expired_follower_is_buried_in_its_turn() throws Exception {
    ManualRelay relay = started("a");
    broker.failNext(1, new IllegalStateException("no room"));
    commit(
        message("a", "first"),
        Message.to(TOPIC).key("a").notAfter(store().now().minusSeconds(60)).text("expired"),
        message("a", "last"));
    relay.drainNow();
    pass(REST);
    relay.drainNow();
    assertThat(texts("a")).containsExactly("first", "last");
    assertThat(dead()).extracting(DeadLetter::reason).containsExactly(Reason.EXPIRED);
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 0, 0, 1));
  }

  @Test
  void a_row_with_broken_headers_is_buried_unpublished() throws Exception {
    if (TableCounts.isWithoutSql(environment())) {
      return;
    }
    ManualRelay relay = started("a");
    List<MessageId> ids = commit(Message.to(TOPIC).key("a").header("h", "v").text("broken"));
    TableCounts.breakHeaders(environment());
    commit(message("a", "whole"));
    relay.drainNow();
    assertThat(texts("a")).containsExactly("whole");
    assertThat(dead()).hasSize(1);
    assertThat(dead().get(0).reason()).isEqualTo(Reason.UNREADABLE);
    assertThat(dead().get(0).envelope().id()).isEqualTo(ids.get(0));
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 0, 0, 1));
  }

  @Test
  void replayed_dead_letters_are_published_with_the_same_ids_in_order() throws Exception {
    ManualRelay relay = started("a");
    broker.rejectIf(envelope -> true, "no such account");
    List<MessageId> ids = commit(numbered("a", 3));
    relay.drainNow();
    assertThat(dead()).hasSize(3);
    broker.heal();
    List<DeadLetter.Id> numbers = dead().stream().map(DeadLetter::id).toList();
    assertThat(deadLetters().replay(numbers)).isEqualTo(3);
    relay.drainNow();
    assertThat(broker.ids()).containsExactlyElementsOf(ids);
    assertThat(texts("a")).isEqualTo(numbers("a", 3));
    assertThat(deadLetters().replay(numbers)).isZero();
    relay.drainNow();
    assertEmpty();
  }

  @Test
  void a_replayed_message_begins_again() throws Exception {
    ManualRelay relay = started(relay("a", broker.publisher()).retry(threeAttempts()));
    broker.failNext(4, new IllegalStateException("no room"));
    commit(message("a", "a 0"));
    for (int attempt = 0; attempt < 3; attempt++) {
      relay.drainNow();
      pass(REST);
    }
    deadLetters().replay(List.of(dead().get(0).id()));
    relay.drainNow();
    assertThat(dead()).isEmpty();
    pass(REST);
    relay.drainNow();
    assertThat(texts("a")).containsExactly("a 0");
    assertEmpty();
  }

  @Test
  void a_replayed_message_of_a_held_key_waits_behind_it() throws Exception {
    ManualRelay relay = started("a");
    rejectOn("a 0");
    commit(message("a", "a 0"));
    relay.drainNow();
    broker.heal();
    broker.failNext(1, new IllegalStateException("no room"));
    commit(message("a", "a 1"));
    relay.drainNow();
    deadLetters().replay(List.of(dead().get(0).id()));
    relay.drainNow();
    assertThat(texts("a")).isEmpty();
    pass(REST);
    relay.drainNow();
    assertThat(texts("a")).containsExactly("a 1", "a 0");
    assertEmpty();
  }
}
