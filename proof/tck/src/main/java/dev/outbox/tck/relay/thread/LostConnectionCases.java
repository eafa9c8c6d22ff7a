package dev.outbox.tck.relay.thread;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Relay;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.FaultyStore.Fault;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.testkit.internal.intercept.StoreCall;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A relay loses its connection to the database while its publisher sends. */
public abstract class LostConnectionCases extends ThreadCases {
  private static final int MESSAGES = 5;

  protected LostConnectionCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(1);
  }

  @Test
  void what_is_left_out_while_the_lease_is_in_doubt_is_not_overtaken_once_it_is_sure_again()
      throws Exception {
    commit(numbered("a", MESSAGES));
    RenewedInFlight publisher = new RenewedInFlight();
    store().plan(publisher::fault);
    Relay relay =
        closing(real(publisher).lease(Duration.ofSeconds(6), Duration.ofMillis(200)).start());
    broker.await(MESSAGES, PATIENCE);
    relay.close();
    assertThat(publisher.leftOut.get()).isPositive();
    assertThat(texts("a")).isEqualTo(numbers("a", MESSAGES));
    assertEmpty();
  }

  /**
   * Sends in turn, and asks before each message. In its first flight the renewal that comes after
   * the first message fails, and the next one succeeds after the second message was left out.
   */
  private final class RenewedInFlight implements Publisher {
    private final AtomicInteger flights = new AtomicInteger();
    private final AtomicInteger leftOut = new AtomicInteger();
    private final AtomicInteger renewals = new AtomicInteger();
    private final CountDownLatch sentFirst = new CountDownLatch(1);
    private final CountDownLatch inDoubt = new CountDownLatch(1);
    private final CountDownLatch leftOutOne = new CountDownLatch(1);
    private final CountDownLatch sureAgain = new CountDownLatch(1);

    /** Called by the thread of the relay's loop. */
    Fault fault(StoreCall call) {
      if (sentFirst.getCount() > 0) {
        return Fault.NONE;
      }
      if (renewals.get() >= 2) {
        sureAgain.countDown(); // the loop has gone on
      } else if (call == StoreCall.SETTLE && renewals.incrementAndGet() == 1) {
        return Fault.BEFORE;
      } else if (renewals.get() == 2) {
        inDoubt.countDown();
        await(leftOutOne);
      }
      return Fault.NONE;
    }

    @Override
    public void publish(Flight flight) throws Exception {
      boolean isFirst = flights.incrementAndGet() == 1;
      for (Envelope envelope : flight.envelopes()) {
        boolean stop = flight.shouldStop();
        flight.ack(envelope, stop ? leftOut() : sent(envelope));
        if (isFirst) {
          renewMeanwhile(stop);
        }
      }
    }

    private void renewMeanwhile(boolean stop) {
      if (sentFirst.getCount() > 0) {
        sentFirst.countDown();
        await(inDoubt);
      } else if (stop && leftOutOne.getCount() > 0) {
        leftOutOne.countDown();
        await(sureAgain);
      }
    }

    private Ack leftOut() {
      leftOut.incrementAndGet();
      return Ack.notSent("the lease is in doubt");
    }

    private Ack sent(Envelope envelope) throws Exception {
      broker.receive(envelope);
      return Ack.delivered();
    }

    @Override
    public Ordering ordering() {
      return Ordering.PIPELINED;
    }

    private static void await(CountDownLatch latch) {
      try {
        assertThat(latch.await(PATIENCE.toSeconds(), SECONDS)).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
