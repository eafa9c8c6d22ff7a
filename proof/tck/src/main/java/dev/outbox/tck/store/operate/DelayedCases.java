package dev.outbox.tck.store.operate;

import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A delayed message is never early. */
public abstract class DelayedCases extends StoreCases {
  protected DelayedCases(Opener opener) {
    super(opener);
  }

  @Test
  void a_delayed_message_waits_for_its_time() throws Exception {
    commit(Sample.after(LEASE, "after"), Sample.at(store().now().plus(LEASE), "at"));
    LaneStore relay = relay("a");
    List<Lease> leases = claimAll(relay);
    assertThat(relay.promoteDue(leases, 10)).isZero();
    assertThat(readAll(relay)).isEmpty();
    passTime(LEASE.minusSeconds(20));
    assertThat(relay.promoteDue(leases, 10)).isZero();
    passTime(Duration.ofSeconds(21));
    assertThat(relay.promoteDue(leases, 10)).isEqualTo(2);
    assertThat(texts(readAll(relay))).containsExactlyInAnyOrder("after", "at");
    assertThat(relay.promoteDue(leases, 10)).isZero();
  }

  @Test
  void delayed_messages_are_promoted_in_the_order_of_their_due_times() throws Exception {
    commit(
        Sample.after(Duration.ofSeconds(30), "third"),
        Sample.after(Duration.ofSeconds(10), "first"),
        Sample.after(Duration.ofSeconds(20), "second"));
    passTime(LEASE);
    LaneStore relay = relay("a");
    assertThat(relay.promoteDue(claimAll(relay), 10)).isEqualTo(3);
    assertThat(texts(readAll(relay))).containsExactly("first", "second", "third");
  }

  @Test
  void of_one_due_time_the_first_enqueued_comes_first() throws Exception {
    Instant due = store().now().plus(SOON).truncatedTo(ChronoUnit.SECONDS);
    List<NewEnvelope> messages = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      messages.add(Sample.at(due, "k " + i));
    }
    commit(messages);
    passTime(LEASE);
    LaneStore relay = relay("a");
    assertThat(relay.promoteDue(claimAll(relay), 1_000)).isEqualTo(100);
    assertThat(texts(readAll(relay))).isEqualTo(numbers("k", 100));
  }

  @Test
  void a_promotion_takes_the_earliest_and_no_more_than_asked() throws Exception {
    commit(Sample.after(Duration.ofSeconds(20), "second"), Sample.after(SOON, "first"));
    commit(Sample.after(Duration.ofSeconds(30), "third"));
    passTime(LEASE);
    LaneStore relay = relay("a");
    List<Lease> leases = claimAll(relay);
    assertThat(relay.promoteDue(leases, 2)).isEqualTo(2);
    assertThat(texts(readAll(relay))).containsExactly("first", "second");
    assertThat(relay.promoteDue(leases, 2)).isEqualTo(1);
  }

  @Test
  void a_promoted_message_takes_its_place_at_the_end() throws Exception {
    commit(Sample.after(SOON, "delayed"));
    commit(keyed("k", "enqueued later"));
    passTime(LEASE);
    LaneStore relay = relay("a");
    long last = readAll(relay).get(0).id();
    relay.promoteDue(claimAll(relay), 10);
    List<StoredEnvelope> stored = readAll(relay);
    assertThat(texts(stored)).containsExactly("enqueued later", "delayed");
    assertThat(stored.get(1).id()).isGreaterThan(last);
  }

  @Test
  void a_due_time_in_the_past_is_due() throws Exception {
    commit(Sample.at(store().now().minus(LEASE), "past"), Sample.after(Duration.ZERO, "now"));
    LaneStore relay = relay("a");
    relay.promoteDue(claimAll(relay), 10);
    assertThat(texts(readAll(relay))).containsExactlyInAnyOrder("past", "now");
  }

  @Test
  void only_messages_of_the_leased_lanes_are_promoted() throws Exception {
    for (int lane = 0; lane < 4; lane++) {
      Envelope envelope = Sample.envelope(Sample.TOPIC, "k", "lane " + lane);
      commit(new NewEnvelope(new Lane(lane), envelope, new Message.Due.After(SOON)));
    }
    passTime(LEASE);
    LaneStore relay = relay("a");
    LaneStore other = relay("b");
    Lease mine = claimOne(relay);
    List<Lease> others = claimAll(other);
    assertThat(relay.promoteDue(List.of(mine), 10)).isEqualTo(1);
    assertThat(readAll(relay)).extracting(StoredEnvelope::lane).containsExactly(mine.lane());
    assertThat(other.promoteDue(others, 10)).isEqualTo(3);
  }

  @Test
  void one_fenced_lease_does_not_keep_the_others_from_promoting() throws Exception {
    for (int lane = 0; lane < 4; lane++) {
      Envelope envelope = Sample.envelope(Sample.TOPIC, "k", "lane " + lane);
      commit(new NewEnvelope(new Lane(lane), envelope, new Message.Due.After(SOON)));
    }
    LaneStore relay = relay("a");
    List<Lease> leases = claimAll(relay);
    release(relay, leases.get(2));
    assertThat(relay("b").claim(1)).hasSize(1);
    passTime(SOON.plusSeconds(1));
    assertThat(relay.promoteDue(leases, 10)).isEqualTo(3);
    assertThat(readAll(relay))
        .extracting(StoredEnvelope::lane)
        .doesNotContain(leases.get(2).lane());
  }

  @Test
  void two_relays_promote_each_message_once() throws Exception {
    for (int i = 0; i < 40; i++) {
      Envelope envelope = Sample.envelope(Sample.TOPIC, "k", "message " + i);
      commit(new NewEnvelope(new Lane(i % 4), envelope, new Message.Due.After(SOON)));
    }
    passTime(LEASE);
    List<Callable<Integer>> relays = new ArrayList<>();
    for (String owner : List.of("a", "b")) {
      LaneStore relay = relay(owner);
      List<Lease> leases = relay.claim(2).stream().map(LaneClaim::lease).toList();
      relays.add(() -> promoteAll(relay, leases));
    }
    assertThat(Crew.together(relays)).containsExactly(20, 20);
    assertThat(texts(readAll(relay("c")))).hasSize(40).doesNotHaveDuplicates();
  }

  private static int promoteAll(LaneStore relay, List<Lease> leases) {
    int sum = 0;
    for (int promoted = relay.promoteDue(leases, 3);
        promoted > 0;
        promoted = relay.promoteDue(leases, 3)) {
      sum += promoted;
    }
    return sum;
  }
}
