package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.StoreException;
import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.base.GuardedListener;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a relay by rows, on real threads, ends while a flight is unanswered. */
@Timeout(60)
class RowsCloseTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  private final List<StoredEnvelope> messages =
      LongStream.range(0, 10).mapToObj(id -> Samples.ready(id, null)).toList();
  private final Rows rows = new Rows();
  private final CountDownLatch published = new CountDownLatch(1);

  @Test
  void a_close_out_of_patience_settles_the_answers_that_it_has() throws Exception {
    RelayEngine engine = start();
    published.await();

    engine.stop();

    assertThat(rows.settled)
        .containsExactlyElementsOf(messages.subList(0, 9).stream().map(Fate.Deliver::new).toList());
    assertThat(engine.health().alive()).isFalse();
  }

  private RelayEngine start() {
    return new RelayEngine(
        ScriptedStore.ofRows(() -> rows),
        this::publish,
        new RelaySettings(
            "closing-rows",
            new RelaySettings.Leasing(Duration.ofSeconds(15), Duration.ofSeconds(5)),
            new RelaySettings.Volume(100, 1000, 1 << 20, 2),
            new RelaySettings.Deadlines(
                LONG, Duration.ofMillis(50), Duration.ofMillis(50), Duration.ZERO),
            new RelaySettings.Retries(RetryPolicy.standard(), Map.of()),
            Samples.GRACE,
            new GuardedListener("closing-rows", List.of())),
        new RelayEngine.Staff(1, null));
  }

  /** Answers all but the last. */
  private void publish(Flight flight) {
    List<Envelope> envelopes = flight.envelopes();
    envelopes.subList(0, envelopes.size() - 1).forEach(each -> flight.ack(each, Ack.delivered()));
    published.countDown();
  }

  /** One claim, whose settle takes a while and fails when its session is cut meanwhile. */
  private final class Rows implements RowStore {
    private final List<Fate> settled = new CopyOnWriteArrayList<>();
    private final CountDownLatch cut = new CountDownLatch(1);
    private boolean claimed;

    @Override
    public RowClaim claim(int atMost, Set<String> heldTopics) {
      Claim claim = new Claim(claimed ? List.of() : messages);
      claimed = true;
      return claim;
    }

    @Override
    public RowClaim claimDue(int atMost, Set<String> heldTopics) {
      return new Claim(List.of());
    }

    @Override
    public int release(Set<String> heldTopics, int atMost) {
      return 0;
    }

    @Override
    public Map<String, Setting> topics() {
      return Map.of();
    }

    @Override
    public RelayRegistry registry() {
      return new ScriptedLanes(0);
    }

    @Override
    public void abort() {
      cut.countDown();
    }

    @Override
    public int promoteDue(int atMost) {
      return 0;
    }

    @Override
    public void close() {}

    private final class Claim implements RowClaim {
      private final List<StoredEnvelope> messages;

      Claim(List<StoredEnvelope> messages) {
        this.messages = messages;
      }

      @Override
      public List<StoredEnvelope> messages() {
        return messages;
      }

      @Override
      public Connection transaction() {
        return null;
      }

      @Override
      public void settle(List<Fate> fates) {
        if (isCut()) {
          throw StoreException.passing("the session was cut", null);
        }
        settled.addAll(fates);
      }

      /** A database in the same process may not write for a thread that is interrupted. */
      private boolean isCut() {
        try {
          return cut.await(50, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return true;
        }
      }

      @Override
      public void close() {}
    }
  }
}
