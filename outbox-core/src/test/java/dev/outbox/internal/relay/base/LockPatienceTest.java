package dev.outbox.internal.relay.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.StoreException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LockPatienceTest {
  private final AtomicBoolean waits = new AtomicBoolean();
  private Instant now = Instant.EPOCH;
  private final Ticker ticker = Ticker.of(() -> now);
  private final LockPatience one = shared();
  private final LockPatience other = shared();

  private LockPatience shared() {
    return LockPatience.ofRows(new LockWaits(), "relay", "move due messages", ticker, waits);
  }

  /** It would wait for the same rows again. */
  @Test
  void a_worker_that_waited_in_vain_rests_although_another_has_taken_the_step() {
    one.take(
        () -> {
          now = now.plusMillis(900);
          throw StoreException.contended("locked", null);
        });
    other.take(() -> true);
    assertThat(waits).isFalse();

    AtomicInteger taken = new AtomicInteger();
    now = now.plusMillis(2600);
    one.take(() -> taken.incrementAndGet() > 0);
    assertThat(taken).hasValue(0);

    now = now.plusMillis(100);
    one.take(() -> taken.incrementAndGet() > 0);
    assertThat(taken).hasValue(1);
  }
}
