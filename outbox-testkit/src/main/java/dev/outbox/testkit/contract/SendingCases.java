package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every envelope gets one answer, in time, and a true one. */
abstract class SendingCases extends PublisherCases {
  SendingCases(Opener opener) {
    super(opener);
  }

  @Test
  void one_envelope_is_delivered() throws Exception {
    Envelope envelope = message("42", "placed");
    WatchedFlight flight = fly(envelope);
    assertThat(flight.answer(envelope)).isInstanceOf(Ack.Delivered.class);
    assertThat(arrivedIds()).containsExactly(envelope.id());
  }

  @Test
  void every_envelope_of_a_flight_is_delivered_and_answered_once() throws Exception {
    List<Envelope> envelopes = new ArrayList<>(oneOfEachKey(50));
    for (int number = 0; number < 50; number++) {
      envelopes.add(message(null, "no key"));
    }
    assertThat(fly(envelopes).undelivered()).isEmpty();
    assertThat(arrivedIds()).containsExactlyInAnyOrderElementsOf(ids(envelopes));
  }

  @Test
  void flights_from_two_threads_do_not_disturb_each_other() throws Exception {
    List<Envelope> left = oneOfEachKey(100);
    List<Envelope> right = new ArrayList<>();
    for (int number = 0; number < 100; number++) {
      right.add(message("r" + number, "r"));
    }
    List<WatchedFlight> flights = Crew.together(List.of(() -> fly(left), () -> fly(right)));
    assertThat(flights.get(0).undelivered()).isEmpty();
    assertThat(flights.get(1).undelivered()).isEmpty();
    assertThat(arrivedIds()).hasSize(200).containsAll(ids(left)).containsAll(ids(right));
  }

  @Test
  void a_slow_broker_does_not_keep_a_publish_beyond_its_deadline() throws Exception {
    if (environment.slowness().isEmpty()) {
      leftOut("slowness");
      return;
    }
    environment.slowness().get().take(Duration.ofMillis(200));
    List<Envelope> envelopes = oneOfEachKey(100);
    WatchedFlight flight = begin(envelopes, Duration.ofSeconds(3));
    long start = System.nanoTime();
    Crew.within(Duration.ofSeconds(8), () -> publish(flight));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
    requireArrived(flight.delivered());
    assertThat(envelopes).noneMatch(each -> flight.answer(each) instanceof Ack.Rejected);
  }

  @Test
  void a_broker_that_confirms_too_late_does_not_keep_a_publish_either() throws Exception {
    if (environment.slowness().isEmpty()) {
      leftOut("slowness");
      return;
    }
    fly(message("before", "before"));
    environment.slowness().get().take(environment.deadline().multipliedBy(4));
    WatchedFlight flight = begin(List.of(message("late", "late")), environment.deadline());
    requireReturned(flight, Crew.start(() -> publish(flight)));
    requireArrived(flight.delivered());
    assertThat(flight.envelopes()).noneMatch(each -> flight.answer(each) instanceof Ack.Rejected);
  }

  @Test
  void an_interrupt_is_not_eaten_and_rejects_nothing() throws Exception {
    List<Envelope> envelopes = oneOfEachKey(20);
    WatchedFlight flight = begin(envelopes, environment.deadline());
    boolean told =
        Crew.within(
            environment.deadline().plusSeconds(1),
            () -> {
              Thread.currentThread().interrupt();
              Optional<Throwable> thrown = publish(flight);
              return Thread.interrupted()
                  || thrown.filter(InterruptedException.class::isInstance).isPresent();
            });
    flight.awaitAnswers();
    assertThat(told).as("the interrupt stands, or was thrown").isTrue();
    assertThat(flight.unanswered()).isEmpty();
    assertThat(envelopes).noneMatch(each -> flight.answer(each) instanceof Ack.Rejected);
    requireArrived(flight.delivered());
  }
}
