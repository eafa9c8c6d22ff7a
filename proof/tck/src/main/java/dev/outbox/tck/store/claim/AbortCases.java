package dev.outbox.tck.store.claim;

import static dev.outbox.tck.fixture.Sample.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.StoreException;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.OneLaneCases;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A session can be cut from outside, for a relay that must be gone. */
public abstract class AbortCases extends OneLaneCases {
  private static final Duration AT_ONCE = Duration.ofSeconds(10);

  protected AbortCases(Opener opener) {
    super(opener);
  }

  @Test
  void a_call_that_hangs_ends_when_its_session_is_aborted() throws Exception {
    commit(keyed("k", "1"));
    StoredEnvelope storedEnvelope = read(relay, LANE).get(0);
    try (AutoCloseable lock = environment().lock(LANE)) {
      assertThat(lock).isNotNull();
      Future<?> hanging = Crew.start(() -> settle(relay, lease, deliver(storedEnvelope)));
      assertThatThrownBy(() -> abortUntilOver(hanging)).isInstanceOf(StoreException.class);
    }
    settled(settle(relay("a"), lease, deliver(storedEnvelope)));
  }

  /** Again and again, for the first cut may come before the call has begun. */
  private void abortUntilOver(Future<?> call) throws Exception {
    long deadline = System.nanoTime() + AT_ONCE.toNanos();
    while (!call.isDone() && System.nanoTime() < deadline) {
      relay.abort();
      awaitBriefly(call);
    }
    Crew.end(call, Duration.ZERO);
  }

  private static void awaitBriefly(Future<?> call) throws InterruptedException {
    try {
      call.get(100, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      assertThat(e).isNotNull();
    }
  }

  @Test
  void what_an_aborted_session_has_leased_stays_leased() throws Exception {
    relay.abort();
    assertThat(relay("b").claim(1)).isEmpty();
    assertThat(takeOver(relay("b")).takeovers()).isEqualTo(1);
  }

  @Test
  void a_session_can_be_aborted_before_its_first_use_twice_and_after_its_end() throws Exception {
    LaneStore other = store().lanes("b", LEASE);
    Crew.within(
        AT_ONCE,
        () -> {
          other.abort();
          other.abort();
          other.close();
          other.abort();
          return 0;
        });
    settled(settle(relay, lease));
  }
}
