package dev.outbox.internal.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BatchedPurgeTest {
  @Test
  void a_batch_of_which_others_had_locked_some_is_not_the_last() {
    Queue<Integer> batches = new ArrayDeque<>(List.of(1000, 420, 1000, 100, 7));
    assertThat(BatchedPurge.all(most -> batches.remove())).isEqualTo(2527);
    assertThat(batches).isEmpty();
  }

  @Test
  void what_goes_on_expiring_is_left_to_the_next_time() {
    AtomicInteger calls = new AtomicInteger();
    assertThat(BatchedPurge.all(most -> calls.incrementAndGet() > 20 ? 0 : 3)).isEqualTo(3);
  }

  @Test
  void nothing_to_delete_is_asked_for_once() {
    AtomicInteger calls = new AtomicInteger();
    assertThat(BatchedPurge.all(most -> 0 * calls.incrementAndGet())).isZero();
    assertThat(calls).hasValue(1);
  }
}
