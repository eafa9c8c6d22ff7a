package dev.outbox.tck.relay.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.StoreException;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.tck.fixture.FaultyStore;
import dev.outbox.tck.fixture.HoldingPublisher;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.internal.intercept.StoreCall;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A closed relay leaves nothing behind. */
public abstract class CloseCases extends RelayCases {
  protected CloseCases(Opener opener) {
    super(opener);
  }

  private int freeLanes() {
    try (LaneStore session = store().lanes("auditor", LEASE)) {
      return session.claim(4).size();
    }
  }

  /** A message in the lane. */
  private static Message in(int lane, String text) {
    return IntStream.range(0, 1000)
        .mapToObj(number -> message("key " + number, text))
        .filter(
            message -> LaneHash.of(Objects.requireNonNull(message.key()), 4).equals(new Lane(lane)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_close_leaves_no_lease() throws Exception {
    ManualRelay relay = started("a");
    commit(numbered("a", 3));
    relay.drainNow();
    assertThat(freeLanes()).isZero();
    relay.close();
    assertThat(freeLanes()).isEqualTo(4);
    assertThat(store().sessions()).isZero();
  }

  @Test
  void a_close_releases_what_a_claim_took_whose_answer_was_lost() throws Exception {
    ManualRelay relay = started("a");
    loseTheNextClaim();
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    assertThat(freeLanes()).isZero();
    relay.close();
    assertThat(freeLanes()).isEqualTo(4);
    assertThat(store().sessions()).isZero();
  }

  @Test
  void what_a_claim_took_whose_answer_was_lost_is_published_from_at_once() throws Exception {
    ManualRelay relay = started("a");
    commit(numbered("a", 3));
    loseTheNextClaim();
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    relay.drainNow();
    assertThat(texts()).containsExactly("a 0", "a 1", "a 2");
    assertEmpty();
  }

  private void loseTheNextClaim() {
    AtomicBoolean lost = new AtomicBoolean();
    store()
        .plan(
            call ->
                call == StoreCall.CLAIM && lost.compareAndSet(false, true)
                    ? FaultyStore.Fault.AFTER
                    : FaultyStore.Fault.NONE);
  }

  @Test
  void a_second_close_does_nothing() throws Exception {
    ManualRelay relay = started("a");
    relay.drainNow();
    relay.close();
    ManualRelay next = started("b");
    next.drainNow();
    relay.close();
    assertThat(freeLanes()).isZero();
  }

  @Test
  void an_unanswered_flight_leaves_its_lane_to_expire_and_is_not_repeated_before()
      throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay relay = started(relay("a", publisher));
    commit(in(0, "answered"), in(1, "unanswered"));
    relay.drainNow();
    publisher.answer("answered", Ack.delivered());
    relay.close();
    assertThat(tableCounts()).isEqualTo(new TableCounts(1, 0, 0, 0));
    ManualRelay next = started("b");
    commit(in(0, "more"), in(1, "behind"));
    next.drainNow();
    assertThat(texts()).containsExactly("more");
    pass(LEASE.minusSeconds(5));
    next.drainNow();
    assertThat(texts()).containsExactly("more");
    pass(LEASE);
    next.drainNow();
    assertThat(texts()).containsExactly("more", "unanswered", "behind");
    assertEmpty();
  }

  @Test
  void the_answered_part_of_a_flight_is_settled_at_close() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay relay = started(relay("a", publisher));
    commit(in(0, "1"), in(0, "2"), in(0, "3"));
    relay.drainNow();
    publisher.answer("1", Ack.delivered());
    relay.close();
    pass(LEASE.plusSeconds(1));
    started("b").drainNow();
    assertThat(texts()).containsExactly("2", "3");
    assertEmpty();
  }

  @Test
  void a_failure_known_at_close_is_parked_with_its_followers() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay relay = started(relay("a", publisher));
    commit(in(0, "1"), in(0, "2"));
    relay.drainNow();
    publisher.answerAll(Ack.failed(new IllegalStateException("no room")));
    relay.close();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 2, 0, 0));
    assertThat(freeLanes()).isEqualTo(4);
  }

  @Test
  void what_waits_behind_a_flight_at_close_stays_for_the_next_relay() throws Exception {
    HoldingPublisher publisher = new HoldingPublisher(Ordering.ONE_PER_KEY);
    ManualRelay relay = started(relay("a", publisher));
    commit(numbered("a", 3));
    relay.drainNow();
    publisher.answerAll(Ack.delivered());
    relay.close();
    assertThat(publisher.texts()).containsExactly("a 0");
    started("b").drainNow();
    assertThat(texts()).containsExactly("a 1", "a 2");
    assertEmpty();
  }
}
