package dev.outbox.tck.relay.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.DeadLetters.ReplayPlan;
import dev.outbox.DeadLetters.Replayed;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.tck.fixture.Wakes;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Operators replay and discard many dead letters in one call. */
public abstract class OperatorCases extends RelayCases {
  private static final Filter ALL = Filter.all();

  protected OperatorCases(Opener opener) {
    super(opener);
  }

  /** Enqueues that many messages of a topic with one key, numbered from 0, and buries them. */
  private void die(String topic, int count) throws Exception {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(Message.to(topic).key("k").text(topic + " " + i));
    }
    commit(messages);
    assertThat(buryAll()).isEqualTo(count);
  }

  /** Buries whatever is ready. */
  private int buryAll() {
    try (LaneStore lanes = store().lanes("burier", LEASE)) {
      List<Settlement> settlements = new ArrayList<>();
      int count = 0;
      for (LaneClaim claim : lanes.claim(4)) {
        Lease lease = claim.lease();
        LaneStore.Cursor cursor = new LaneStore.Cursor(lease.lane(), 0, 10_000);
        List<Fate> fates =
            lanes.read(List.of(cursor), Long.MAX_VALUE).stream().map(StoreCases::bury).toList();
        count += fates.size();
        settlements.add(new Settlement(lease, 0, fates, Settlement.After.RELEASE));
      }
      lanes.settle(settlements);
      return count;
    }
  }

  /** The texts of ready messages, in the order of their ids. */
  private List<String> ready() {
    try (LaneStore lanes = store().lanes("reader", LEASE)) {
      List<LaneStore.Cursor> cursors = new ArrayList<>();
      for (int lane = 0; lane < 4; lane++) {
        cursors.add(new LaneStore.Cursor(new Lane(lane), 0, 10_000));
      }
      return lanes.read(cursors, Long.MAX_VALUE).stream()
          .sorted(Comparator.comparing(StoredEnvelope::id))
          .map(storedEnvelope -> storedEnvelope.envelope().payload().text())
          .toList();
    }
  }

  private static List<String> texts(List<DeadLetter> letters) {
    return letters.stream().map(letter -> letter.envelope().payload().text()).toList();
  }

  private DeadLetter.Id highest() {
    return dead().stream()
        .map(DeadLetter::id)
        .max(Comparator.comparingLong(DeadLetter.Id::number))
        .orElseThrow();
  }

  @Test
  void those_that_fit_are_listed_and_counted() throws Exception {
    die("a", 3);
    die("b", 2);
    assertThat(texts(deadLetters().page(ALL.topic("b"), 0, 10))).containsExactly("b 0", "b 1");
    assertThat(deadLetters().page(0, 10)).hasSize(5);
    assertThat(deadLetters().count(ALL.topic("a"), 10)).isEqualTo(3);
    assertThat(deadLetters().count(4)).isEqualTo(4);
  }

  @Test
  void those_that_fit_are_replayed_in_their_order_and_the_others_stay() throws Exception {
    die("a", 130);
    die("b", 10);
    die("a", 120);
    Replayed replayed = deadLetters().replay(ALL.topic("a"), ReplayPlan.atOnce());
    assertThat(replayed.messages()).isEqualTo(250);
    assertThat(replayed.complete()).isTrue();
    List<String> expected = new ArrayList<>(numbers("a", 130));
    expected.addAll(numbers("a", 120));
    assertThat(ready()).isEqualTo(expected);
    assertThat(texts(dead())).isEqualTo(numbers("b", 10));
  }

  @Test
  void a_replay_says_how_far_it_came() throws Exception {
    assertThat(deadLetters().replay(ALL, ReplayPlan.atOnce()))
        .isEqualTo(new Replayed(0, 0, true, false));
    die("a", 5);
    long highest = highest().number();
    assertThat(deadLetters().replay(ALL, ReplayPlan.atOnce()))
        .isEqualTo(new Replayed(5, highest, true, false));
    assertThat(deadLetters().replay(ALL, ReplayPlan.atOnce()))
        .isEqualTo(new Replayed(0, 0, true, false));
  }

  @Test
  void a_dry_run_counts_and_changes_nothing() throws Exception {
    die("a", 250);
    die("b", 10);
    assertThat(deadLetters().replay(ALL.topic("a"), ReplayPlan.dryRun()).messages()).isEqualTo(250);
    assertThat(deadLetters().count(1000)).isEqualTo(260);
    assertThat(ready()).isEmpty();
  }

  @Test
  void what_dies_again_meanwhile_is_not_replayed_twice() throws Exception {
    die("a", 150);
    Future<Replayed> replay = Crew.start(() -> deadLetters().replay(ALL, ReplayPlan.paced(300)));
    int died = 0;
    while (!replay.isDone()) {
      died += buryAll();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    died += buryAll();
    assertThat(Crew.end(replay, PATIENCE).messages()).isEqualTo(150);
    assertThat(died).isEqualTo(150);
    assertThat(deadLetters().count(1000)).isEqualTo(150);
  }

  @Test
  void a_pace_is_kept() throws Exception {
    die("a", 60);
    long began = System.nanoTime();
    assertThat(deadLetters().replay(ALL, ReplayPlan.paced(100)).messages()).isEqualTo(60);
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isBetween(Duration.ofMillis(490), PATIENCE);
  }

  @Test
  void an_interrupted_replay_stops_and_says_how_far_it_came() throws Exception {
    die("a", 100);
    AtomicBoolean stillInterrupted = new AtomicBoolean();
    List<Replayed> ends = Collections.synchronizedList(new ArrayList<>());
    Thread operator =
        new Thread(
            () -> {
              ends.add(deadLetters().replay(ALL, ReplayPlan.paced(10)));
              stillInterrupted.set(Thread.currentThread().isInterrupted());
            });
    operator.start();
    awaitReplayed(3);
    operator.interrupt();
    operator.join(PATIENCE.toMillis());
    assertThat(stillInterrupted).isTrue();
    Replayed end = ends.get(0);
    assertThat(end.complete()).isFalse();
    assertThat(end.messages()).isBetween(3L, 99L);
    assertThat(deadLetters().count(1000)).isEqualTo(100 - end.messages());
    assertThat(deadLetters().replay(ALL, ReplayPlan.atOnce()).messages())
        .isEqualTo(100 - end.messages());
    assertThat(ready()).isEqualTo(numbers("a", 100));
  }

  private void awaitReplayed(int count) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (ready().size() < count && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  @Test
  void two_operators_replay_each_message_once() throws Exception {
    die("a", 300);
    List<Callable<Replayed>> operators = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      operators.add(() -> deadLetters().replay(ALL, ReplayPlan.atOnce()));
    }
    assertThat(Crew.together(operators).stream().mapToLong(Replayed::messages).sum())
        .isEqualTo(300);
    assertThat(ready()).containsExactlyInAnyOrderElementsOf(numbers("a", 300));
  }

  @Test
  void a_replay_is_told_how_far_it_has_come_and_stops_when_it_is_told_to() throws Exception {
    die("a", 250);
    List<Long> told = new ArrayList<>();
    Replayed stopped =
        deadLetters()
            .replay(
                ALL,
                ReplayPlan.atOnce(),
                soFar -> {
                  told.add(soFar.messages());
                  return soFar.messages() < 200;
                });
    assertThat(told).containsExactly(100L, 200L);
    assertThat(stopped.messages()).isEqualTo(200);
    assertThat(stopped.complete()).isFalse();
    assertThat(ready()).hasSize(200);
    assertThat(deadLetters().replay(ALL, ReplayPlan.atOnce(), soFar -> true).messages())
        .isEqualTo(50);
    assertThat(ready()).hasSize(250).doesNotHaveDuplicates();
  }

  @Test
  void a_discard_stops_when_it_is_told_to_and_goes_no_further_than_a_number() throws Exception {
    die("a", 250);
    assertThat(deadLetters().discard(ALL, soFar -> false)).isEqualTo(100);
    long last = deadLetters().replay(ALL, ReplayPlan.dryRun()).last();
    die("a", 5);
    assertThat(deadLetters().discard(ALL.upTo(last))).isEqualTo(150);
    assertThat(deadLetters().count(ALL, 100)).isEqualTo(5);
  }

  @Test
  void those_that_fit_are_discarded() throws Exception {
    die("a", 250);
    die("b", 10);
    assertThat(deadLetters().discard(ALL.topic("a"))).isEqualTo(250);
    assertThat(deadLetters().discard(ALL.topic("a"))).isZero();
    assertThat(texts(dead())).isEqualTo(numbers("b", 10));
    assertThat(deadLetters().discard(ALL.reason(Reason.REJECTED))).isEqualTo(10);
    assertThat(ready()).isEmpty();
  }

  @Test
  void relays_are_woken_when_there_is_something_for_them() throws Exception {
    die("a", 4);
    Wakes wakes = new Wakes();
    closing(store().wakeup().subscribe(wakes));
    deadLetters().replay(ALL.topic("b"), ReplayPlan.atOnce());
    deadLetters().replay(ALL, ReplayPlan.dryRun());
    deadLetters().replay(List.of(new DeadLetter.Id(highest().number() + 1, MessageId.next())));
    assertThat(wakes.woken).isEmpty();
    deadLetters().replay(List.of(highest()));
    assertThat(wakes.woken).containsExactly(Set.of());
    deadLetters().discard(List.of(highest()));
    assertThat(wakes.woken).hasSize(2);
    deadLetters().replay(ALL, ReplayPlan.atOnce());
    assertThat(wakes.woken).hasSizeGreaterThan(2);
  }

  @Test
  void arguments_that_make_no_sense_are_refused() throws Exception {
    DeadLetters door = deadLetters();
    refused("limit is 0, it must be 1 to 1000", () -> door.page(0, 0));
    refused("limit is 1001, it must be 1 to 1000", () -> door.page(ALL, 0, 1001));
    refused("bound is 0, the minimum is 1", () -> door.count(ALL, 0));
    refused(
        "letters is 1001, it must be 1 to 1000",
        () -> door.discard(Collections.nCopies(1001, new DeadLetter.Id(1, MessageId.next()))));
    refused("perSecond is 0, the minimum is 1", () -> ReplayPlan.paced(0));
    refused("retention is PT-1S, the minimum is zero", () -> door.purge(Duration.ofSeconds(-1)));
    refused("topic is empty", () -> door.discard(ALL.topic("")));
    refused(
        "topic has 256 characters, the limit is", () -> door.count(ALL.topic("x".repeat(256)), 1));
  }

  private static void refused(String text, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }
}
