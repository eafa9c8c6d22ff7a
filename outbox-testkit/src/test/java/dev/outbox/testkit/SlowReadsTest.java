package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.spi.LaneStore;
import dev.outbox.testkit.internal.intercept.InterceptedLanes;
import dev.outbox.testkit.internal.intercept.InterceptedStore;
import dev.outbox.testkit.internal.intercept.StoreCall;
import java.sql.Connection;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A relay driven by hand leaves nothing unread because reads are slow. */
class SlowReadsTest {
  private static final int KEYS = 100;
  private static final int OF_EACH = 3;

  private final SettableClock clock = SettableClock.create();
  private final InMemoryStore store = InMemoryStore.builder().clock(clock).lanes(32).build();
  private final InMemoryBroker broker = InMemoryBroker.withClock(clock);

  @ParameterizedTest
  @CsvSource({"PT0.3S, 500", "PT5S, 500", "PT0.3S, 1", "PT5S, 1"})
  void drain_now_reads_all_lanes_however_long_a_read_takes(Duration time, int batch)
      throws Exception {
    commit();
    drain(time, batch);
    assertThat(broker.messages().size()).isEqualTo(KEYS * OF_EACH);
    assertThat(store.contents().isDrained()).isTrue();
  }

  /** An open transaction may yet commit a lower id, so no lane's floor is known. */
  @ParameterizedTest
  @CsvSource({"PT0.3S, 500", "PT5S, 1"})
  void nor_does_it_beside_a_transaction_that_stays_open(Duration time, int batch) throws Exception {
    try (Connection open = store.begin()) {
      Outbox.create(store).enqueue(open, Message.to("orders.placed").key("open").text("never"));
      commit();
      drain(time, batch);
      assertThat(broker.messages().size()).isEqualTo(KEYS * OF_EACH);
    }
  }

  /** While it was open, reads began above what it enqueued. */
  @Test
  void what_a_transaction_enqueued_that_was_open_for_long_is_drained_once_it_commits()
      throws Exception {
    InMemoryStore one = InMemoryStore.builder().clock(clock).lanes(1).build();
    Outbox outbox = Outbox.create(one);
    try (Connection open = one.begin();
        ManualRelay relay = ManualRelay.builder(one, broker.publisher()).clock(clock).build()) {
      outbox.enqueue(open, Message.to("orders.placed").text("first"));
      for (int number = 1; number <= 3; number++) {
        try (Connection connection = one.begin()) {
          outbox.enqueue(connection, Message.to("orders.placed").text("number " + number));
          connection.commit();
        }
        relay.drainNow();
        clock.advance(Duration.ofMillis(1100));
      }
      relay.drainNow();
      open.commit();
      relay.drainNow();
    }
    assertThat(broker.messages().size()).isEqualTo(4);
  }

  private void commit() throws Exception {
    try (Connection connection = store.begin()) {
      for (int number = 0; number < KEYS * OF_EACH; number++) {
        Outbox.create(store)
            .enqueue(
                connection,
                Message.to("orders.placed").key("k" + number % KEYS).text("number " + number));
      }
      connection.commit();
    }
  }

  private void drain(Duration time, int batch) {
    try (ManualRelay relay =
        ManualRelay.builder(new SlowStore(store, clock, time), broker.publisher())
            .clock(clock)
            .batch(batch)
            .build()) {
      relay.drainNow();
    }
  }

  /** Each read of ready messages takes this time by the clock. */
  private static final class SlowStore extends InterceptedStore {
    private final SettableClock clock;
    private final Duration time;

    SlowStore(InMemoryStore store, SettableClock clock, Duration time) {
      super(store);
      this.clock = clock;
      this.time = time;
    }

    @Override
    public LaneStore lanes(String owner, Duration lease) {
      return new InterceptedLanes(super.lanes(owner, lease)) {
        @Override
        protected <T> T around(StoreCall call, Supplier<T> effect) {
          if (call == StoreCall.READ) {
            clock.advance(time);
          }
          return effect.get();
        }
      };
    }
  }
}
