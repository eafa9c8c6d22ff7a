package dev.outbox.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.CountingObserver;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.message.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who watches sends hears of those whose client does not answer until the relay gives them up. */
class UnansweredSendTest {
  private final CountingObserver flights = new CountingObserver();
  private final List<Ack> heard = new ArrayList<>();
  private final List<CompletableFuture<String>> sends = new ArrayList<>();
  private final Publisher silent = Publisher.async(envelope -> send());
  private OpenFlight flight = flight(1);

  private OpenFlight flight(int messages) {
    flights.now = Ticker.system().now();
    OpenFlight next =
        new OpenFlight(
            IntStream.range(0, messages).mapToObj(id -> Samples.ready(id, null)).toList(),
            null,
            flights);
    next.takeOff(flights.now, Duration.ofSeconds(30));
    return next;
  }

  private CompletableFuture<String> send() {
    sends.add(new CompletableFuture<>());
    return sends.get(sends.size() - 1);
  }

  private SendObserver.Scope hearing(List<Envelope> envelopes) {
    return new SendObserver.Scope() {
      @Override
      public void answered(Envelope envelope, Ack ack) {
        assertThat(envelopes).contains(envelope);
        heard.add(ack);
      }

      @Override
      public void close() {}
    };
  }

  private static boolean isSilence(Ack ack) {
    return ack instanceof Ack.Failed failed && failed.cause() instanceof TimeoutException;
  }

  @Test
  void an_asynchronous_send_fails_when_its_flight_lands_whatever_is_around_it() throws Exception {
    for (Publisher publisher :
        List.of(
            silent,
            Publisher.async(envelope -> send(), 1),
            each -> {},
            silent.longestSend(Duration.ofSeconds(1)),
            silent.withGuarantees(BrokerGuarantees.nothing()),
            silent.resolving(Resolver.none()),
            Publisher.route(Map.of(Samples.TOPIC, silent)))) {
      flight = flight(1);
      heard.clear();
      publisher.observed(this::hearing).publish(flight);
      assertThat(heard).as("%s in flight", publisher).isEmpty();

      flight.land();
      assertThat(heard).as("%s", publisher).singleElement().matches(UnansweredSendTest::isSilence);
    }
  }

  @Test
  void what_the_client_says_later_is_not_heard() throws Exception {
    silent.observed(this::hearing).publish(flight);
    flight.land();
    sends.get(0).complete("receipt");

    assertThat(heard).singleElement().matches(UnansweredSendTest::isSilence);
  }

  @Test
  void an_answer_in_time_is_heard_once() throws Exception {
    flight = flight(2);
    silent.observed(this::hearing).publish(flight);
    sends.get(1).complete("receipt");
    flight.land();

    assertThat(heard).hasSize(2).startsWith(Ack.delivered());
    assertThat(heard.get(1)).matches(UnansweredSendTest::isSilence);
  }

  @Test
  void a_classifier_reads_it() throws Exception {
    for (Publisher publisher : List.<Publisher>of(silent, each -> {})) {
      flight = flight(1);
      heard.clear();
      publisher.classify(Ack::unavailable).observed(this::hearing).publish(flight);
      flight.land();
      flight = flight(1);
      publisher.observed(this::hearing).classify(Ack::unavailable).publish(flight);
      flight.land();

      assertThat(heard).hasOnlyElementsOfType(Ack.Unavailable.class).hasSize(2);
    }
  }

  @Test
  void a_call_that_returns_after_its_flight_has_landed_is_heard_once() throws Exception {
    for (Publisher publisher :
        List.of(
            Publisher.blocking(sent -> flight.land()),
            Publisher.batch(
                list -> {
                  flight.land();
                  return list.stream().map(each -> Ack.delivered()).toList();
                }))) {
      flight = flight(1);
      heard.clear();
      publisher.observed(this::hearing).publish(flight);

      assertThat(heard).singleElement().matches(UnansweredSendTest::isSilence);
    }
  }

  @Test
  void one_that_begins_when_its_flight_has_just_landed_is_heard_at_once() throws Exception {
    flight.land();
    Publisher own = each -> {};
    own.observed(this::hearing).publish(flight);

    assertThat(heard).singleElement().matches(UnansweredSendTest::isSilence);
  }
}
