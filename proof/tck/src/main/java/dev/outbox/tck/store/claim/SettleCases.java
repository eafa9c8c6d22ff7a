package dev.outbox.tck.store.claim;

import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.message;
import static dev.outbox.tck.fixture.Sample.numbered;
import static dev.outbox.tck.fixture.Sample.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters.Filter;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** The end of a claim is written once, for all its lanes. */
public abstract class SettleCases extends StoreCases {
  protected SettleCases(Opener opener) {
    super(opener);
  }

  @Test
  void delivered_messages_are_gone() throws Exception {
    commit(numbered("k", 5));
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    List<StoredEnvelope> stored = readAll(relay);
    SettleResult.Settled settled = settled(settle(relay, lease, deliver(stored.subList(0, 3))));
    assertThat(settled.missing()).isZero();
    assertThat(settled.freed()).isEmpty();
    assertThat(texts(readAll(relay))).containsExactly("k 3", "k 4");
  }

  @Test
  void deliveries_in_any_order_lift_the_floor() throws Exception {
    commit(numbered("k", 3));
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    List<StoredEnvelope> stored = new ArrayList<>(readAll(relay));
    long last = stored.get(2).id();
    Collections.reverse(stored);
    Settlement settlement = new Settlement(lease, last, deliver(stored), Settlement.After.RENEW);
    assertThat(settled(settle(relay, settlement)).missing()).isZero();
    assertThat(readAll(relay)).isEmpty();
    passTime(LEASE.plusSeconds(1));
    assertThat(claimFirst(relay("b")).floor()).isEqualTo(last);
  }

  @Test
  void every_kind_of_fate_fits_in_one_settlement() throws Exception {
    commit(keyed("a", "deliver"), keyed("b", "fail"), keyed("b", "follow"), keyed("c", "bury"));
    commit(keyed("d", "stay"));
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    List<StoredEnvelope> stored = readAll(relay);
    SettleResult.Settled settled =
        settled(
            settle(
                relay,
                lease,
                deliver(stored.get(0)),
                fail(stored.get(1), Duration.ZERO),
                follow(stored.get(2)),
                bury(stored.get(3))));
    assertThat(settled.missing()).isZero();
    assertThat(texts(readAll(relay))).containsExactly("stay");
    assertThat(texts(readDue(relay))).containsExactly("fail", "follow");
    assertThat(store().deadLetters().page(Filter.all(), 0, 10))
        .extracting(letter -> letter.envelope().payload().text())
        .containsExactly("bury");
  }

  @Test
  void every_kind_of_fate_of_parked_messages_fits_in_one_settlement() throws Exception {
    commit(keyed("a", "deliver"), keyed("b", "fail"), keyed("c", "bury"));
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    settle(relay, lease, readAll(relay).stream().map(each -> fail(each, Duration.ZERO)).toList());
    List<StoredEnvelope> due = readDue(relay);
    assertThat(texts(due)).containsExactlyInAnyOrder("deliver", "fail", "bury");
    SettleResult.Settled settled =
        settled(
            settle(
                relay,
                lease,
                deliver(named(due, "deliver")),
                fail(named(due, "fail"), 2, Duration.ZERO),
                bury(named(due, "bury"))));
    assertThat(settled.missing()).isZero();
    assertThat(settled.freed())
        .extracting(held -> held.key().value())
        .containsExactlyInAnyOrder("a", "c");
    assertThat(texts(readDue(relay))).containsExactly("fail");
    assertThat(store().deadLetters().count(Filter.all(), 10)).isEqualTo(1);
  }

  private static StoredEnvelope named(List<StoredEnvelope> messages, String text) {
    return messages.get(texts(messages).indexOf(text));
  }

  @Test
  void several_lanes_settle_in_one_call_with_an_answer_each() throws Exception {
    for (int lane = 0; lane < 4; lane++) {
      commit(message(new Lane(lane), "k", "lane " + lane));
    }
    LaneStore relay = relay("a");
    List<Settlement> settlements = new ArrayList<>();
    for (Lease lease : claimAll(relay)) {
      List<Fate> fates = deliver(read(relay, lease.lane()));
      settlements.add(0, new Settlement(lease, 0, fates, Settlement.After.RENEW));
    }
    Map<Lane, SettleResult> settleResults = relay.settle(settlements);
    assertThat(settleResults).hasSize(4);
    settleResults.values().forEach(StoreCases::settled);
    assertThat(readAll(relay)).isEmpty();
  }

  @Test
  void a_settle_of_two_thousand_fates() throws Exception {
    commit(numbered("deliver", 1_000));
    commit(numbered("park", 500));
    commit(numbered("bury", 500));
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    List<Fate> fates = new ArrayList<>();
    List<StoredEnvelope> stored = readAll(relay);
    fates.addAll(deliver(stored.subList(0, 1_000)));
    fates.add(fail(stored.get(1_000), Duration.ZERO));
    stored.subList(1_001, 1_500).forEach(each -> fates.add(follow(each)));
    stored.subList(1_500, 2_000).forEach(each -> fates.add(bury(each)));
    assertThat(settled(settle(relay, lease, fates)).missing()).isZero();
    assertThat(readAll(relay)).isEmpty();
    assertThat(texts(readDue(relay))).isEqualTo(numbers("park", 500));
    assertThat(store().deadLetters().count(Filter.all(), 1_000)).isEqualTo(500);
    assertThat(store().deadLetters().page(Filter.all(), 0, 1_000))
        .extracting(letter -> letter.envelope().payload().text())
        .isEqualTo(numbers("bury", 500));
  }

  @Test
  void four_relays_settle_their_lanes_at_the_same_time() throws Exception {
    long deadlocks = environment().deadlocks();
    List<Callable<Integer>> relays = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      LaneStore relay = relay("relay " + number);
      Lease lease = claimOne(relay);
      relays.add(() -> settleAgainAndAgain(relay, lease));
    }
    assertThat(Crew.together(relays)).containsOnly(20 * 30);
    assertThat(readAll(relay("z"))).isEmpty();
    assertThat(environment().deadlocks()).isEqualTo(deadlocks);
  }

  private int settleAgainAndAgain(LaneStore relay, Lease lease) throws Exception {
    int count = 0;
    for (int round = 0; round < 20; round++) {
      List<NewEnvelope> messages = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        messages.add(message(lease.lane(), "k", "round " + round));
      }
      commit(messages);
      List<StoredEnvelope> stored = read(relay, lease.lane());
      List<Fate> fates = new ArrayList<>(deliver(stored.subList(0, 10)));
      stored.subList(10, 20).forEach(each -> fates.add(fail(each, Duration.ZERO)));
      stored.subList(20, 30).forEach(each -> fates.add(bury(each)));
      assertThat(settled(settle(relay, lease, fates)).missing()).isZero();
      List<StoredEnvelope> due = readDue(relay, 100, lease.lane());
      assertThat(settled(settle(relay, lease, deliver(due))).missing()).isZero();
      count += stored.size();
    }
    return count;
  }
}
