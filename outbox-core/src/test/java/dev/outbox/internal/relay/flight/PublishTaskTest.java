package dev.outbox.internal.relay.flight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.CountingObserver;
import dev.outbox.internal.relay.Samples;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PublishTaskTest {
  private final CountingObserver observer = new CountingObserver();
  private final OpenFlight flight =
      new OpenFlight(List.of(Samples.ready(1, "a"), Samples.ready(2, "b")), null, observer);

  @Test
  void a_flight_whose_lease_is_no_longer_sure_stays_on_the_ground() {
    AtomicInteger published = new AtomicInteger();

    task(each -> published.incrementAndGet(), false).run();

    assertThat(published).hasValue(0);
    assertThat(flight.isGrounded()).isTrue();
  }

  /** As after a lost connection: what was sent then would overtake what was left out before. */
  @Test
  void no_other_send_begins_once_the_lease_was_not_sure_though_it_is_again() {
    AtomicBoolean sure = new AtomicBoolean(true);
    List<Boolean> stops = new ArrayList<>();

    new PublishTask(
            each -> {
              stops.add(each.shouldStop());
              sure.set(false);
              stops.add(each.shouldStop());
              sure.set(true);
              stops.add(each.shouldStop());
            },
            flight,
            () -> Samples.atSecond(0),
            Duration.ofSeconds(30),
            sure::get)
        .run();

    assertThat(stops).containsExactly(false, true, true);
  }

  @Test
  void a_flight_that_was_taken_back_is_not_published() {
    AtomicInteger published = new AtomicInteger();
    flight.ground();

    task(each -> published.incrementAndGet(), true).run();

    assertThat(published).hasValue(0);
  }

  @Test
  void what_is_thrown_answers_all_that_have_no_answer_yet() {
    task(
            each -> {
              each.ack(each.envelopes().get(1), Ack.delivered());
              throw new ConnectException("refused");
            },
            true)
        .run();

    assertThat(flight.answer(0)).isInstanceOf(Ack.Unavailable.class);
    assertThat(flight.answer(1)).isEqualTo(Ack.delivered());
    assertThat(observer.ignored).hasValue(0);
    assertThat(flight.isAnswered()).isTrue();
  }

  @Test
  void an_Error_is_a_failure_too() {
    task(
            each -> {
              throw new AssertionError("bug");
            },
            true)
        .run();

    assertThat(flight.answer(0)).isInstanceOf(Ack.Failed.class);
    assertThat(flight.isAnswered()).isTrue();
  }

  @Test
  void an_interrupt_stays_set() {
    task(
            each -> {
              throw new InterruptedException();
            },
            true)
        .run();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(flight.isAnswered()).isTrue();
  }

  private PublishTask task(Publisher publisher, boolean sure) {
    return new PublishTask(
        publisher, flight, () -> Samples.atSecond(0), Duration.ofSeconds(30), () -> sure);
  }
}
