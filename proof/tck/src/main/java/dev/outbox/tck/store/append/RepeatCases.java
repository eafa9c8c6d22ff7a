package dev.outbox.tck.store.append;

import static dev.outbox.tck.fixture.Sample.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.StoreException;
import dev.outbox.message.Key;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A settle whose reply was lost can be repeated. */
public abstract class RepeatCases extends StoreCases {
  protected RepeatCases(Opener opener) {
    super(opener);
  }

  private LaneStore relay;
  private Lease lease;

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(1);
  }

  @BeforeEach
  void claimTheLane() throws Exception {
    relay = relay("a");
    lease = claimFirst(relay);
  }

  /**
   * Settles twice. What the second answers is returned; what can be seen must be as after the
   * first.
   */
  private SettleResult settleTwice(List<Fate> fates) {
    assertThat(settled(settle(relay, lease, fates)).missing()).isZero();
    List<String> before = picture();
    SettleResult second = settle(relay, lease, fates);
    settled(second);
    assertThat(picture()).containsExactlyInAnyOrderElementsOf(before);
    return second;
  }

  private List<String> picture() {
    List<String> picture = new ArrayList<>();
    readAll(relay).forEach(storedEnvelope -> picture.add("ready " + storedEnvelope));
    for (StoredEnvelope storedEnvelope : readDue(relay)) {
      RetryState retryState = requireParking(storedEnvelope);
      picture.add(
          "parked " + storedEnvelope.id() + " " + retryState.attempts() + retryState.history());
    }
    store()
        .deadLetters()
        .page(Filter.all(), 0, 100)
        .forEach(letter -> picture.add("dead " + letter));
    return picture;
  }

  private List<StoredEnvelope> ready(NewEnvelope... messages) throws Exception {
    commit(messages);
    return readAll(relay);
  }

  @Test
  void delivered() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"));
    SettleResult second = settleTwice(deliver(stored));
    assertThat(settled(second).missing()).isEqualTo(2);
  }

  @Test
  void parked() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"));
    settleTwice(List.of(fail(stored.get(0), Duration.ZERO), follow(stored.get(1))));
    assertThat(texts(readDue(relay))).containsExactly("1", "2");
    assertThat(requireParking(readDue(relay).get(0)).attempts()).isEqualTo(1);
  }

  @Test
  void parked_for_later_and_still_not_due() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"));
    settleTwice(List.of(fail(stored.get(0), LEASE), follow(stored.get(1))));
    assertThat(readDue(relay)).isEmpty();
    passTime(LEASE.plusSeconds(1));
    assertThat(texts(readDue(relay))).containsExactly("1", "2");
  }

  @Test
  void buried() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"));
    settleTwice(List.of(bury(stored.get(0)), bury(stored.get(1))));
    assertThat(store().deadLetters().count(Filter.all(), 10)).isEqualTo(2);
  }

  private List<StoredEnvelope> due() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"));
    settle(relay, lease, fail(stored.get(0), Duration.ZERO), follow(stored.get(1)));
    return readDue(relay);
  }

  @Test
  void delivered_from_the_parked_with_the_freed_key_reported_again() throws Exception {
    List<StoredEnvelope> due = due();
    SettleResult second = settleTwice(deliver(due));
    assertThat(settled(second).freed())
        .containsExactly(new HeldKey(LANE, Sample.TOPIC, new Key("k")));
  }

  @Test
  void the_head_delivered_and_its_follower_due() throws Exception {
    List<StoredEnvelope> due = due();
    SettleResult second = settleTwice(List.of(deliver(due.get(0))));
    assertThat(settled(second).freed()).isEmpty();
    assertThat(texts(readDue(relay))).containsExactly("2");
  }

  @Test
  void parked_again() throws Exception {
    List<StoredEnvelope> due = due();
    settleTwice(List.of(fail(due.get(0), 2, Duration.ZERO)));
    assertThat(requireParking(readDue(relay).get(0)).attempts()).isEqualTo(2);
  }

  @Test
  void buried_from_the_parked_with_the_freed_key_reported_again() throws Exception {
    List<StoredEnvelope> due = due();
    SettleResult second = settleTwice(due.stream().map(StoreCases::bury).toList());
    assertThat(settled(second).freed()).hasSize(1);
    assertThat(store().deadLetters().count(Filter.all(), 10)).isEqualTo(2);
  }

  @Test
  void every_kind_of_fate_at_once() throws Exception {
    List<StoredEnvelope> due = due();
    List<StoredEnvelope> stored =
        ready(keyed("a", "3"), keyed("b", "4"), keyed("b", "5"), keyed("c", "6"));
    settleTwice(
        List.of(
            deliver(due.get(0)),
            fail(due.get(1), Duration.ZERO),
            deliver(stored.get(0)),
            fail(stored.get(1), Duration.ZERO),
            follow(stored.get(2)),
            bury(stored.get(3))));
  }

  @Test
  void a_release() throws Exception {
    environment().restartIds(6);
    Settlement release = new Settlement(lease, 5, List.of(), Settlement.After.RELEASE);
    settled(settle(relay, release));
    assertThat(settle(relay, release)).isNotNull();
    assertThat(claimFirst(relay("b")).floor()).isEqualTo(5);
    assertThat(settle(relay, release)).isInstanceOf(SettleResult.Fenced.class);
    assertThat(relay("c").claim(1)).isEmpty();
  }

  @Test
  void a_dead_letter_that_was_replayed_meanwhile_stays_replayed() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"));
    settle(relay, lease, bury(stored.get(0)));
    DeadLetter.Id letter = store().deadLetters().page(Filter.all(), 0, 1).get(0).id();
    assertThat(store().deadLetters().replay(List.of(letter))).isEqualTo(1);
    settled(settle(relay, lease, bury(stored.get(0))));
    assertThat(texts(readAll(relay))).containsExactly("1");
    assertThat(store().deadLetters().count(Filter.all(), 10)).isZero();
  }

  @Test
  void a_row_that_is_not_there_is_counted_and_harms_no_other() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "1"), keyed("k", "2"), keyed("k", "3"));
    settled(settle(relay, lease, deliver(stored.get(1))));
    assertThat(settled(settle(relay, lease, deliver(stored))).missing()).isEqualTo(1);
    assertThat(readAll(relay)).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> when_the_reply_of_the_commit_is_lost() {
    return environment().commitFaults().stream()
        .flatMap(
            faults ->
                Stream.of(
                    dynamicTest("settle, lose the reply, settle", () -> loseTheReply(faults)),
                    dynamicTest("the same of deliveries", () -> loseTheReplyOfDeliveries(faults))));
  }

  private void loseTheReplyOfDeliveries(StoreEnvironment.CommitFaults faults) throws Exception {
    List<Fate> fates = deliver(ready(keyed("a", "1"), keyed("b", "2")));
    faults.loseNextReply();
    assertThatThrownBy(() -> settle(relay, lease, fates)).isInstanceOf(StoreException.class);
    List<String> before = picture();
    settled(settle(relay, lease, fates));
    assertThat(picture()).containsExactlyInAnyOrderElementsOf(before);
    assertThat(readAll(relay)).isEmpty();
  }

  private void loseTheReply(StoreEnvironment.CommitFaults faults) throws Exception {
    List<StoredEnvelope> due = due();
    List<StoredEnvelope> stored = ready(keyed("a", "3"), keyed("b", "4"), keyed("c", "5"));
    List<Fate> fates =
        List.of(
            deliver(due.get(0)),
            deliver(stored.get(0)),
            fail(stored.get(1), Duration.ZERO),
            bury(stored.get(2)));
    faults.loseNextReply();
    assertThatCode(() -> settle(relay, lease, fates))
        .satisfiesAnyOf(
            thrown -> assertThat(thrown).isNull(),
            thrown -> assertThat(thrown).isInstanceOf(StoreException.class));
    List<String> before = picture();
    settled(settle(relay, lease, fates));
    assertThat(picture()).containsExactlyInAnyOrderElementsOf(before);
    assertThat(readAll(relay)).isEmpty();
    assertThat(texts(readDue(relay))).containsExactlyInAnyOrder("2", "4");
    assertThat(store().deadLetters().count(Filter.all(), 10)).isEqualTo(1);
  }

  @TestFactory
  Stream<DynamicTest> when_a_relay_is_stopped_in_mid_settle() {
    return environment().commitFaults().stream()
        .filter(faults -> environment().endsRestingSessions())
        .map(faults -> dynamicTest("the server ends its session", () -> stopInMidSettle(faults)));
  }

  private void stopInMidSettle(StoreEnvironment.CommitFaults faults) throws Exception {
    commit(keyed("k", "1"));
    release(relay, lease);
    Duration shortLease = Duration.ofSeconds(6);
    LaneStore stopped = closing(store().lanes("stopped", shortLease));
    Lease held = claimFirst(stopped);
    List<StoredEnvelope> stored = readAll(stopped);
    passTime(shortLease.plusSeconds(1));
    StoreEnvironment.Stop stop = faults.stopNext();
    Future<SettleResult> settling =
        Crew.start(() -> settle(stopped, held, List.of(bury(stored.get(0)))));
    stop.awaitStopped();
    LaneStore rival = closing(store().lanes("rival", shortLease));
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    List<LaneClaim> claims = rival.claim(1);
    while (claims.isEmpty() && System.nanoTime() < deadline) {
      claims = rival.claim(1);
    }
    stop.close();
    assertThat(claims).as("the lane came free while its relay stood still").hasSize(1);
    assertNotSettled(settling);
    assertThat(texts(readAll(rival))).containsExactly("1");
  }

  private static void assertNotSettled(Future<SettleResult> settling) throws Exception {
    try {
      assertThat(Crew.end(settling, SOON)).isInstanceOf(SettleResult.Fenced.class);
    } catch (StoreException e) {
      assertThat(e.isTransient()).isTrue();
    }
  }
}
