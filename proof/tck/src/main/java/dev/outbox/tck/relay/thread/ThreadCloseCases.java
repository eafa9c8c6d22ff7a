package dev.outbox.tck.relay.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Relay;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A relay with its own threads closes, and leaves nothing behind. */
public abstract class ThreadCloseCases extends ThreadCases {
  protected ThreadCloseCases(Opener opener) {
    super(opener);
  }

  @Test
  void starting_and_closing_leaves_no_threads_no_sessions_and_no_leases() throws Exception {
    List<String> relays = new ArrayList<>();
    for (int round = 0; round < 10; round++) {
      commit(numbered("k", 3));
      try (Relay relay = real(broker.publisher()).start()) {
        broker.await(3 * (round + 1), PATIENCE);
        assertThat(threadsOf(relay.name())).isNotEmpty();
        relays.add(relay.name());
      }
      assertThat(store().sessions()).isZero();
    }
    for (String relay : relays) {
      for (Thread thread : threadsOf(relay)) {
        thread.join(5_000);
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
      }
    }
    assertThat(texts("k")).hasSize(30);
    started("auditor").drainNow();
    assertThat(countingListener.fenced).isEmpty();
    assertEmpty();
  }

  private static List<Thread> threadsOf(String relay) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("outbox-" + relay))
        .toList();
  }

  @Test
  void a_close_lets_what_is_in_flight_land_and_nothing_is_published_twice() throws Exception {
    CountDownLatch inFlight = new CountDownLatch(1);
    CountDownLatch landing = new CountDownLatch(1);
    Publisher slow =
        Publisher.blocking(
            envelope -> {
              inFlight.countDown();
              landing.await();
              broker.receive(envelope);
            });
    Set<MessageId> committed = new HashSet<>();
    for (int key = 0; key < 10; key++) {
      committed.addAll(commit(numbered("key " + key, 4)));
    }
    Relay relay = closing(real(slow).publishThreads(2).start());
    assertThat(inFlight.await(30, TimeUnit.SECONDS)).isTrue();
    Future<?> closing =
        Crew.start(
            () -> {
              relay.close();
              return true;
            });
    landing.countDown();
    closing.get(30, TimeUnit.SECONDS);
    started("next").drainNow();
    assertThat(broker.ids()).isEqualTo(committed);
    assertEmpty();
  }

  @Test
  void a_close_gives_up_a_publisher_that_hangs_and_its_lane_expires() throws Exception {
    CountDownLatch inFlight = new CountDownLatch(1);
    Publisher hanging =
        Publisher.blocking(
            envelope -> {
              inFlight.countDown();
              new CountDownLatch(1).await();
            });
    commit(numbered("k", 3));
    Relay relay = closing(real(hanging).closeDeadline(Duration.ofMillis(200)).start());
    assertThat(inFlight.await(30, TimeUnit.SECONDS)).isTrue();
    relay.close();
    assertThat(store().sessions()).isZero();
    assertThat(tableCounts()).isEqualTo(new TableCounts(3, 0, 0, 0));
    try (dev.outbox.spi.LaneStore session = store().lanes("auditor", Duration.ofSeconds(6))) {
      assertThat(session.claim(8)).hasSize(7);
    }
  }
}
