package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.testkit.InMemoryBroker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract catches publishers that are broken on purpose, each by the case named here. */
@Execution(ExecutionMode.CONCURRENT)
class BrokenPublishersTest {
  private static final Duration TIME_OUT = Duration.ofSeconds(1);
  private static final Duration NO_TIME_OUT = Duration.ofDays(1);

  /** A case of the contract, run by hand. */
  interface Case {
    void run(PublisherCases.Opener opener) throws Exception;
  }

  /** What is wrong, how it is made, and the case that finds it. */
  @SuppressWarnings("ImmutableEnumChecker") // of functions, which keep nothing
  enum Broken {
    ANSWERS_BEFORE_THE_SEND_IS_CONFIRMED(
        broker ->
            each(
                (flight, envelope) -> {
                  flight.ack(envelope, Ack.delivered());
                  broker.receive(envelope);
                }),
        notTaken(NotTakenCases::a_broker_that_is_down_rejects_nothing_and_delivers_nothing)),

    SWALLOWS_A_FAILURE(
        broker ->
            each(
                (flight, envelope) -> {
                  try {
                    broker.receive(envelope);
                  } catch (IllegalStateException e) {
                    System.out.println("could not send, never mind: " + e.getMessage());
                  }
                  flight.ack(envelope, Ack.delivered());
                }),
        notTaken(NotTakenCases::a_refused_message_fails_for_itself_only)),

    GOES_ON_WITH_THE_KEY_AFTER_A_FAILURE(
        broker -> pipelined(each(sending(broker))),
        order(
            SendingOrderCases
                ::after_one_that_was_not_delivered_no_later_one_of_its_key_is_if_it_is_pipelined)),

    TURNS_A_FLIGHT_AROUND(
        broker ->
            pipelined(
                flight -> {
                  List<Envelope> turned = new ArrayList<>(flight.envelopes());
                  Collections.reverse(turned);
                  for (Envelope envelope : turned) {
                    sending(broker).send(flight, envelope);
                  }
                }),
        order(SendingOrderCases::those_of_a_key_in_one_flight_arrive_in_order_if_it_is_pipelined)),

    DROPS_HEADERS(
        broker -> Publisher.blocking(e -> broker.receive(copy(e, e.id(), Map.of()))),
        carrying(AwkwardMessage.EMPTY_HEADER)),

    MAKES_A_NEW_ID(
        broker -> Publisher.blocking(e -> broker.receive(copy(e, MessageId.next(), e.headers()))),
        sending(SendingCases::one_envelope_is_delivered)),

    NEVER_ANSWERS_ONE(
        broker ->
            flight -> {
              List<Envelope> envelopes = flight.envelopes();
              for (int place = 0; place < envelopes.size(); place++) {
                broker.receive(envelopes.get(place));
                if (place < envelopes.size() - 1) {
                  flight.ack(envelopes.get(place), Ack.delivered());
                }
              }
            },
        sending(SendingCases::every_envelope_of_a_flight_is_delivered_and_answered_once)),

    ANSWERS_TWICE(
        broker ->
            each(
                (flight, envelope) -> {
                  broker.receive(envelope);
                  flight.ack(envelope, Ack.delivered());
                  flight.ack(envelope, Ack.delivered());
                }),
        sending(SendingCases::one_envelope_is_delivered)),

    ANSWERS_FOR_A_COPY(
        broker ->
            each(
                (flight, envelope) -> {
                  broker.receive(envelope);
                  flight.ack(copy(envelope, envelope.id(), envelope.headers()), Ack.delivered());
                }),
        sending(SendingCases::one_envelope_is_delivered)),

    REJECTS_IN_AN_OUTAGE(
        broker -> Publisher.blocking(broker::receive).classify(cause -> Ack.rejected("no")),
        notTaken(NotTakenCases::a_broker_that_is_down_rejects_nothing_and_delivers_nothing)),

    FAILS_THE_WHOLE_FLIGHT(
        broker ->
            flight -> {
              for (Envelope envelope : flight.envelopes()) {
                broker.receive(envelope);
                flight.ack(envelope, Ack.delivered());
              }
            },
        notTaken(NotTakenCases::a_refused_message_fails_for_itself_only)),

    IGNORES_THE_DEADLINE(
        broker -> each(sending(broker)),
        sending(SendingCases::a_slow_broker_does_not_keep_a_publish_beyond_its_deadline)),

    JOINS_WITHOUT_A_LIMIT(
        BrokenPublishersTest::joinsAllSends,
        sending(SendingCases::a_broker_that_confirms_too_late_does_not_keep_a_publish_either)),

    SENDS_NOTHING_OF_A_FLIGHT(
        BrokenPublishersTest::sendsNothingInItsSecondFlight,
        outage(BrokerOutageCases::connections_that_are_reset_in_mid_flight_lose_nothing)),

    EATS_THE_INTERRUPT(
        broker ->
            flight -> {
              assertThat(Thread.interrupted()).isIn(true, false);
              broker.publisher().publish(flight);
            },
        sending(SendingCases::an_interrupt_is_not_eaten_and_rejects_nothing)),

    KEEPS_THE_FLIGHT_IN_A_FIELD(
        BrokenPublishersTest::forgetsWhoseAnswerItIs,
        sending(SendingCases::flights_from_two_threads_do_not_disturb_each_other));

    private final Function<InMemoryBroker, Publisher> publisher;
    private final Case finder;

    Broken(Function<InMemoryBroker, Publisher> publisher, Case finder) {
      this.publisher = publisher;
      this.finder = finder;
    }
  }

  @ParameterizedTest
  @EnumSource(Broken.class)
  void a_broken_publisher_is_caught_and_a_sound_one_passes_the_same_case(Broken broken)
      throws Exception {
    broken.finder.run(() -> environment(TIME_OUT, InMemoryBroker::publisher));
    Throwable found =
        catchThrowable(() -> broken.finder.run(() -> environment(NO_TIME_OUT, broken.publisher)));
    System.out.println(broken + " is caught: " + found);
    assertThat(found).isInstanceOf(AssertionError.class);
  }

  private static PublisherEnvironment environment(
      Duration timeOut, Function<InMemoryBroker, Publisher> maker) {
    return new InMemoryPublishing(
        Duration.ofSeconds(3), timeOut, (broker, threads) -> maker.apply(broker));
  }

  // Cases.

  private interface Step<C> {
    void run(C cases) throws Exception;
  }

  private static <C extends PublisherCases> void run(C cases, Step<C> step) throws Exception {
    cases.open();
    try {
      step.run(cases);
    } finally {
      cases.close();
    }
  }

  private static Case sending(Step<SendingCases> step) {
    return opener -> run(new SendingCases(opener) {}, step);
  }

  private static Case order(Step<SendingOrderCases> step) {
    return opener -> run(new SendingOrderCases(opener) {}, step);
  }

  private static Case notTaken(Step<NotTakenCases> step) {
    return opener -> run(new NotTakenCases(opener) {}, step);
  }

  private static Case outage(Step<BrokerOutageCases> step) {
    return opener -> run(new BrokerOutageCases(opener) {}, step);
  }

  private static Case carrying(AwkwardMessage awkwardMessage) {
    return opener ->
        run(
            new CarryingCases(opener) {},
            cases ->
                cases.arrives_unchanged_or_is_refused_where_the_broker_has_no_place_for_it(
                    awkwardMessage));
  }

  // Publishers.

  private interface Part {
    void send(Flight flight, Envelope envelope) throws Exception;
  }

  private static Part sending(InMemoryBroker broker) {
    return (flight, envelope) -> flight.ack(envelope, answer(broker, envelope));
  }

  private static Ack answer(InMemoryBroker broker, Envelope envelope) {
    try {
      broker.receive(envelope);
      return Ack.delivered();
    } catch (Exception e) {
      return Ack.of(e);
    }
  }

  private static Publisher each(Part part) {
    return flight -> {
      for (Envelope envelope : flight.envelopes()) {
        part.send(flight, envelope);
      }
    };
  }

  private static Publisher pipelined(Publisher publisher) {
    return new Publisher() {
      @Override
      public void publish(Flight flight) throws Exception {
        publisher.publish(flight);
      }

      @Override
      public Ordering ordering() {
        return Ordering.PIPELINED;
      }
    };
  }

  private static Publisher joinsAllSends(InMemoryBroker broker) {
    return flight -> {
      List<CompletableFuture<Void>> sends = new ArrayList<>();
      for (Envelope envelope : flight.envelopes()) {
        sends.add(
            CompletableFuture.supplyAsync(() -> answer(broker, envelope))
                .thenAccept(ack -> flight.ack(envelope, ack)));
      }
      CompletableFuture.allOf(sends.toArray(CompletableFuture<?>[]::new)).join();
    };
  }

  private static Publisher sendsNothingInItsSecondFlight(InMemoryBroker broker) {
    AtomicInteger flights = new AtomicInteger();
    return flight -> {
      if (flights.incrementAndGet() == 2) {
        IOException cause = new IOException("no answer");
        flight.envelopes().forEach(each -> flight.ack(each, Ack.unavailable(cause)));
      } else {
        broker.publisher().publish(flight);
      }
    };
  }

  private static Publisher forgetsWhoseAnswerItIs(InMemoryBroker broker) {
    AtomicReference<Flight> current = new AtomicReference<>();
    CountDownLatch both = new CountDownLatch(2);
    return flight -> {
      current.set(flight);
      both.countDown();
      for (Envelope envelope : flight.envelopes()) {
        broker.receive(envelope);
        assertThat(both.await(3, TimeUnit.SECONDS)).isIn(true, false);
        current.get().ack(envelope, Ack.delivered());
      }
    };
  }

  private static Envelope copy(Envelope envelope, MessageId id, Map<String, String> headers) {
    return new Envelope(
        id, envelope.topic(), envelope.key(), headers, envelope.payload(), envelope.notAfter());
  }
}
