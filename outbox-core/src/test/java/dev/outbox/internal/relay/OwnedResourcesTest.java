package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Relay;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a relay owns is closed once, after the last send, whatever happens meanwhile. */
@Timeout(60)
class OwnedResourcesTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(200);

  private final ScriptedLanes lanes = new ScriptedLanes(1);
  private final CountDownLatch published = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);
  private final List<String> closed = new CopyOnWriteArrayList<>();

  @Test
  void what_the_builder_was_given_is_closed_with_the_relay_last_one_first() throws Exception {
    Relay relay =
        builder(this::delivering, LONG)
            .owns(() -> closed.add("client"))
            .owns(() -> closed.add("publisher"))
            .start();
    published.await();
    assertThat(closed).isEmpty();

    relay.close();
    relay.close();

    assertThat(closed).containsExactly("publisher", "client");
  }

  @Test
  void an_interrupted_publisher_may_return_before_its_client_is_closed() throws Exception {
    AtomicBoolean sending = new AtomicBoolean();
    Relay relay =
        builder(flight -> sendSlowly(sending), SHORT)
            .owns(() -> closed.add(sending.get() ? "under a send" : "after it"))
            .start();
    published.await();

    relay.close();

    assertThat(closed).containsExactly("after it");
  }

  /** A client that takes a while to end its request. */
  private void sendSlowly(AtomicBoolean sending) throws InterruptedException {
    sending.set(true);
    published.countDown();
    try {
      answer.await();
    } finally {
      long end = System.nanoTime() + Duration.ofMillis(200).toNanos();
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      sending.set(false);
    }
  }

  @Test
  void a_publisher_that_closes_the_relay_while_another_does_closes_nothing_twice()
      throws Exception {
    AtomicReference<Relay> self = new AtomicReference<>();
    CountDownLatch closers = new CountDownLatch(1);
    Publisher closing =
        flight -> {
          published.countDown();
          answer.await();
          self.get().close();
          delivering(flight);
        };
    Relay relay =
        builder(closing, LONG)
            .owns(
                () -> {
                  closed.add("client");
                  closers.await();
                })
            .start();
    self.set(relay);
    published.await();
    Thread other = closeInAThread(relay);

    answer.countDown();
    while (closed.isEmpty()) {
      Thread.onSpinWait();
    }
    endedClosers(relay);
    closers.countDown();
    other.join();

    assertThat(closed).containsExactly("client");
  }

  /** A closer that should not exist ends, or waits in the resource, within the moment. */
  private static void endedClosers(Relay relay) throws InterruptedException {
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().equals("outbox-" + relay.name() + "-close")) {
        each.join(1000);
      }
    }
  }

  @Test
  void an_error_in_a_close_skips_no_other_and_ends_the_close() throws Exception {
    Relay relay =
        builder(this::delivering, LONG)
            .owns(() -> closed.add("client"))
            .owns(
                () -> {
                  throw new NoClassDefFoundError("broken");
                })
            .start();
    published.await();

    relay.close();
    relay.close();

    assertThat(closed).containsExactly("client");
  }

  @Test
  void a_second_close_waits_for_a_slow_resource() throws Exception {
    Relay relay =
        builder(this::delivering, SHORT)
            .owns(
                () -> {
                  closed.add("begun");
                  answer.await();
                  closed.add("ended");
                })
            .start();
    published.await();
    Thread first = closeInAThread(relay);
    while (closed.isEmpty()) {
      Thread.onSpinWait();
    }

    Thread second = closeInAThread(relay);
    second.join(4500);
    assertThat(second.isAlive()).isTrue();

    answer.countDown();
    second.join();
    first.join();
    assertThat(closed).containsExactly("begun", "ended");
  }

  @Test
  void a_resource_that_closes_the_relay_does_not_wait_for_itself() throws Exception {
    AtomicReference<Relay> self = new AtomicReference<>();
    Relay relay =
        builder(this::delivering, LONG)
            .owns(
                () -> {
                  self.get().close();
                  closed.add("client");
                })
            .start();
    self.set(relay);
    published.await();

    relay.close();

    assertThat(closed).containsExactly("client");
  }

  @Test
  void an_interrupted_close_of_one_does_not_interrupt_the_next() throws Exception {
    Relay relay =
        builder(this::delivering, LONG)
            .owns(() -> closed.add("interrupted " + Thread.currentThread().isInterrupted()))
            .owns(
                () -> {
                  throw new InterruptedException("closing");
                })
            .start();
    published.await();

    relay.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(closed).containsExactly("interrupted false");
  }

  @Test
  void a_relay_that_fails_to_start_leaves_no_thread_and_closes_nothing() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Publisher broken =
        new Publisher() {
          @Override
          public void publish(Flight flight) {
            delivering(flight);
          }

          @Override
          public BrokerGuarantees brokerGuarantees() {
            if (published.getCount() == 0 && asked.incrementAndGet() > 0) {
              throw new IllegalStateException("asked once too often");
            }
            published.countDown();
            return BrokerGuarantees.nothing();
          }
        };

    assertThatThrownBy(
            () -> builder(broken, LONG).name("unborn").owns(() -> closed.add("client")).start())
        .hasMessage("asked once too often");

    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().startsWith("outbox-unborn-")) {
        each.join(LONG.toMillis());
        assertThat(each.isAlive()).as(each.getName()).isFalse();
      }
    }
    assertThat(closed).isEmpty();
  }

  private Relay.Builder builder(Publisher publisher, Duration close) {
    lanes.put(StoredEnvelope.ready(1, new Lane(0), Samples.envelope("a")));
    return Relay.builder(ScriptedStore.of(lanes), publisher).name("owner").closeDeadline(close);
  }

  private void delivering(Flight flight) {
    flight.envelopes().forEach(each -> flight.ack(each, Ack.delivered()));
    published.countDown();
  }

  private static Thread closeInAThread(Relay relay) {
    Thread thread = new Thread(relay::close);
    thread.start();
    return thread;
  }
}
