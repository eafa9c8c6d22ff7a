package dev.outbox.internal.relay.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Eight workers at the same gates. */
@Timeout(60)
class TopicGatesRaceTest {
  private static final int WORKERS = 8;
  private static final int EACH = 20_000;
  private static final int CAP = 3;

  private final Envelope message = Samples.envelope("a");
  private final TopicGates gates = new TopicGates();
  private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final AtomicInteger admitted = new AtomicInteger();

  @AfterEach
  void endTheWorkers() {
    workers.shutdownNow();
  }

  @Test
  void there_are_never_more_in_flight_than_the_cap() throws Exception {
    gates.set(Map.of(Samples.TOPIC, Setting.NONE.withInFlight(CAP)));

    together(
        () -> {
          for (int i = 0; i < EACH; i++) {
            if (gates.admit(message, Samples.atSecond(0))) {
              fly();
              land();
            }
          }
        });

    assertThat(most).hasValueLessThanOrEqualTo(CAP);
    assertThat(admitted).hasValueGreaterThanOrEqualTo(EACH);
    for (int place = 0; place < CAP; place++) {
      assertThat(gates.admit(message, Samples.atSecond(0))).as("place %d", place).isTrue();
    }
    assertThat(gates.admit(message, Samples.atSecond(0))).isFalse();
  }

  @Test
  void no_place_in_flight_is_lost_or_won() throws Exception {
    gates.set(Map.of(Samples.TOPIC, Setting.NONE.withInFlight(WORKERS)));

    together(
        () -> {
          for (int i = 0; i < 10 * EACH; i++) {
            if (gates.admit(message, Samples.atSecond(0))) {
              gates.withdrawn(message);
            }
          }
        });

    int places = 0;
    while (places < 100 && gates.admit(message, Samples.atSecond(0))) {
      places++;
    }
    assertThat(places).isEqualTo(WORKERS);
  }

  @Test
  void one_worker_alone_gets_the_probe() throws Exception {
    for (int round = 1; round <= 200; round++) {
      Ticker.Moment now = Samples.atSecond(round * 60L);
      int before = admitted.get();
      gates.admit(message, now);
      gates.answered(
          message, Ack.unavailable(new IllegalStateException("down")), gates.outages(), now);
      Ticker.Moment later = Samples.atSecond(round * 60L + 40);

      together(
          () -> {
            if (gates.admit(message, later)) {
              admitted.incrementAndGet();
            }
          });

      assertThat(admitted.get() - before).as("round %d", round).isEqualTo(1);
      gates.answered(message, Ack.delivered(), gates.outages(), later);
    }
  }

  private void fly() {
    admitted.incrementAndGet();
    most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
    Thread.onSpinWait();
  }

  private void land() {
    inFlight.decrementAndGet();
    if (ThreadLocalRandom.current().nextBoolean()) {
      gates.withdrawn(message);
    } else {
      gates.answered(message, Ack.delivered(), gates.outages(), Samples.atSecond(0));
    }
  }

  private void together(Runnable work) throws Exception {
    CyclicBarrier start = new CyclicBarrier(WORKERS);
    List<Future<?>> running = new ArrayList<>();
    for (int worker = 0; worker < WORKERS; worker++) {
      running.add(
          workers.submit(
              () -> {
                start.await();
                work.run();
                return null;
              }));
    }
    for (Future<?> each : running) {
      each.get();
    }
  }
}
