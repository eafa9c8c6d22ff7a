package dev.outbox.tck.store.row;

import static dev.outbox.tck.fixture.Sample.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics.Setting;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers leave held topics alone and release what was held with them. */
public abstract class RowHoldCases extends RowCases {
  private RowStore worker;

  @SuppressWarnings("NullAway.Init")
  protected RowHoldCases(Opener opener) {
    super(opener);
  }

  @BeforeEach
  void openWorker() {
    worker = worker();
  }

  private void enqueue(String topic, int count) throws Exception {
    List<NewEnvelope> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(Sample.of(topic, null, topic + " " + i));
    }
    commit(messages);
  }

  /** Gives all ready messages this fate. */
  private void settleReady(Function<StoredEnvelope, Fate> fate) {
    try (RowClaim claim = worker.claim(10_000)) {
      claim.settle(claim.messages().stream().map(fate).toList());
    }
  }

  private List<String> due(String... heldTopics) {
    try (RowClaim claim = worker.claimDue(10_000, Set.of(heldTopics))) {
      return texts(claim.messages());
    }
  }

  @Test
  void held_messages_never_fall_due_by_themselves() throws Exception {
    enqueue("t", 3);
    settleReady(StoreCases::hold);
    assertThat(due()).isEmpty();
    passTime(Duration.ofDays(30));
    assertThat(due()).isEmpty();
    try (RowClaim claim = worker.claim(10)) {
      assertThat(claim.messages()).isEmpty();
    }
  }

  @Test
  void a_release_makes_them_due_in_the_order_of_their_ids() throws Exception {
    enqueue("t", 5);
    settleReady(StoreCases::hold);
    assertThat(worker.release(Set.of(), 3)).isEqualTo(3);
    assertThat(due()).containsExactlyInAnyOrderElementsOf(numbers("t", 3));
    assertThat(worker.release(Set.of(), 3)).isEqualTo(2);
    assertThat(due()).containsExactlyInAnyOrderElementsOf(numbers("t", 5));
    assertThat(worker.release(Set.of(), 3)).isZero();
  }

  @Test
  void topics_that_are_still_held_are_not_released() throws Exception {
    enqueue("a", 2);
    enqueue("b", 2);
    settleReady(StoreCases::hold);
    assertThat(worker.release(Set.of("a", "unknown"), 100)).isEqualTo(2);
    assertThat(due()).containsExactlyInAnyOrder("b 0", "b 1");
  }

  @Test
  void what_backs_off_after_its_own_failure_goes_on_doing_so() throws Exception {
    enqueue("t", 2);
    settleReady(storedEnvelope -> fail(storedEnvelope, LEASE));
    assertThat(worker.release(Set.of(), 100)).isZero();
    assertThat(due()).isEmpty();
  }

  @Test
  void due_messages_of_held_topics_are_not_claimed() throws Exception {
    enqueue("a", 2);
    enqueue("b", 2);
    settleReady(storedEnvelope -> fail(storedEnvelope, Duration.ZERO));
    assertThat(due("a")).containsExactlyInAnyOrder("b 0", "b 1");
    assertThat(due("b", "unknown")).containsExactlyInAnyOrder("a 0", "a 1");
    assertThat(due("a", "b")).isEmpty();
    assertThat(due()).hasSize(4);
  }

  @Test
  void many_of_a_held_topic_hide_no_due_one() throws Exception {
    enqueue("held", 300);
    enqueue("free", 1);
    settleReady(storedEnvelope -> fail(storedEnvelope, Duration.ZERO));
    try (RowClaim claim = worker.claimDue(10, Set.of("held"))) {
      assertThat(texts(claim.messages())).containsExactly("free 0");
    }
  }

  @Test
  void topics_are_distinguished_exactly() throws Exception {
    for (String topic : List.of("topic", "Topic", "topic ")) {
      enqueue(topic, 1);
    }
    settleReady(StoreCases::hold);
    assertThat(worker.release(Set.of("topic"), 100)).isEqualTo(2);
    assertThat(due()).containsExactlyInAnyOrder("Topic 0", "topic  0");
    assertThat(due("Topic")).containsExactly("topic  0");
  }

  @Test
  void a_due_message_is_put_back_with_what_is_known_of_it() throws Exception {
    enqueue("t", 1);
    settleReady(storedEnvelope -> fail(storedEnvelope, 3, Duration.ZERO));
    passTime(Duration.ofMinutes(10));
    try (RowClaim claim = worker.claimDue(10, Set.of())) {
      claim.settle(claim.messages().stream().map(StoreCases::hold).toList());
    }
    assertThat(due()).isEmpty();
    assertThat(worker.release(Set.of(), 10)).isEqualTo(1);
    try (RowClaim claim = worker.claimDue(10, Set.of())) {
      RetryState retryState = requireParking(claim.messages().get(0));
      assertThat(retryState.attempts()).isEqualTo(3);
      assertThat(retryState.history()).isEqualTo("history 3");
      assertThat(retryState.failing()).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(11));
    }
  }

  @Test
  void workers_that_release_at_the_same_time_release_each_once() throws Exception {
    long deadlocks = environment().deadlocks();
    enqueue("t", 200);
    settleReady(StoreCases::hold);
    List<Callable<Integer>> workers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      RowStore each = worker();
      workers.add(() -> releaseAll(each));
    }
    int released = Crew.together(workers).stream().mapToInt(count -> count).sum();
    assertThat(released + releaseAll(worker)).isEqualTo(200);
    assertThat(due()).containsExactlyInAnyOrderElementsOf(numbers("t", 200));
    assertThat(environment().deadlocks()).isEqualTo(deadlocks);
  }

  private static int releaseAll(RowStore worker) {
    int all = 0;
    for (int more = worker.release(Set.of(), 20); more > 0; more = worker.release(Set.of(), 20)) {
      all += more;
    }
    return all;
  }

  @Test
  void a_release_does_not_wait_for_the_claims_of_others() throws Exception {
    enqueue("t", 4);
    settleReady(StoreCases::hold);
    worker.release(Set.of(), 2);
    try (RowClaim claim = worker().claimDue(10, Set.of())) {
      assertThat(claim.messages()).hasSize(2);
      assertThat(Crew.within(SOON, () -> worker.release(Set.of(), 10))).isEqualTo(2);
    }
  }

  @Test
  void a_worker_knows_the_live_relays_and_what_is_set_per_topic() throws Exception {
    store().topics().change("t", setting -> setting.withPaused(true));
    assertThat(worker.topics()).containsOnly(Map.entry("t", Setting.NONE.withPaused(true)));
    worker.registry().beat("by its worker", LEASE, true);
    assertThat(store().registry().live()).hasSize(1);
    enqueue("t", 1);
    try (RowClaim claim = worker.claim(10)) {
      claim.settle(deliver(claim.messages()));
    }
    assertThat(worker.registry().beat("by its worker", LEASE, true)).hasSize(1);
  }

  @Test
  void what_an_aborted_worker_has_claimed_is_free_for_others() throws Exception {
    enqueue("t", 3);
    RowStore doomed = store().rows(LONGEST);
    assertThat(doomed.claim(10).messages()).hasSize(3);
    Crew.within(
        SOON,
        () -> {
          doomed.abort();
          doomed.abort();
          return 0;
        });
    assertThat(claimedSoon()).containsExactlyInAnyOrderElementsOf(numbers("t", 3));
    doomed.close();
  }

  private List<String> claimedSoon() {
    long deadline = System.nanoTime() + SOON.toNanos();
    List<String> claimed = List.of();
    while (claimed.isEmpty() && System.nanoTime() < deadline) {
      try (RowClaim claim = worker.claim(10)) {
        claimed = texts(claim.messages());
      }
    }
    return claimed;
  }
}
