package dev.outbox.publish;

import static dev.outbox.publish.RecordingFlight.keyed;
import static dev.outbox.publish.RecordingFlight.keyless;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import dev.outbox.publish.Publisher.Ordering;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who watches sends sees each begin, return and end, whatever the publisher is made of. */
class ObservedTest {
  private final Envelope first = keyed("a");
  private final Envelope second = keyed("b");
  private final Envelope third = keyed("a");
  private final RecordingFlight flight = RecordingFlight.of(first, second, third);
  private final List<String> events = new ArrayList<>();

  /** Notes what it hears under a name. */
  private SendObserver noting(String who) {
    return envelopes -> {
      events.add(who + " sends " + names(envelopes));
      return new SendObserver.Scope() {
        @Override
        public void answered(Envelope envelope, Ack ack) {
          events.add(who + " hears " + name(envelope) + " " + ack.getClass().getSimpleName());
        }

        @Override
        public void close() {
          events.add(who + " closes " + names(envelopes));
        }
      };
    };
  }

  private String names(List<Envelope> envelopes) {
    return envelopes.stream().map(this::name).toList().toString();
  }

  private String name(Envelope envelope) {
    return envelope.equals(first)
        ? "1"
        : envelope.equals(second) ? "2" : envelope.equals(third) ? "3" : "?";
  }

  private void client(Envelope envelope) {
    events.add("client " + name(envelope));
    if (envelope.equals(second)) {
      throw new IllegalStateException("no");
    }
  }

  @Test
  void a_blocking_send_lies_in_its_scope() throws Exception {
    Publisher.blocking(this::client).observed(noting("o")).publish(flight);

    assertThat(events)
        .containsExactly(
            "o sends [1]",
            "client 1",
            "o closes [1]",
            "o hears 1 Delivered",
            "o sends [2]",
            "client 2",
            "o closes [2]",
            "o hears 2 Failed",
            "o sends [3]",
            "client 3",
            "o closes [3]",
            "o hears 3 Delivered");
  }

  @Test
  void what_is_not_sent_is_not_watched() throws Exception {
    RecordingFlight behind = RecordingFlight.of(second, keyed("b"));
    Publisher.blocking(this::client).observed(noting("o")).publish(behind);

    assertThat(events)
        .containsExactly("o sends [2]", "client 2", "o closes [2]", "o hears 2 Failed");
  }

  @Test
  void an_asynchronous_send_ends_its_scope_at_once_and_is_answered_later() throws Exception {
    Map<Envelope, CompletableFuture<String>> sends = new HashMap<>();
    Publisher.async(
            envelope -> {
              events.add("client " + name(envelope));
              return sends.computeIfAbsent(envelope, each -> new CompletableFuture<>());
            })
        .observed(noting("o"))
        .publish(flight);
    assertThat(events)
        .containsExactly(
            "o sends [1]", "client 1", "o closes [1]", "o sends [2]", "client 2", "o closes [2]");
    events.clear();

    sends.get(first).complete("receipt");
    sends.get(second).completeExceptionally(new IllegalStateException("no"));
    assertThat(events)
        .containsExactly(
            "o hears 1 Delivered", "o sends [3]", "client 3", "o closes [3]", "o hears 2 Failed");
    assertThat(flight.answer(first)).isEqualTo(Ack.delivered());
  }

  @Test
  void an_asynchronous_send_that_throws_is_answered() throws Exception {
    Publisher.async(
            envelope -> {
              client(envelope);
              return CompletableFuture.completedFuture("receipt");
            })
        .observed(noting("o"))
        .publish(RecordingFlight.of(second));

    assertThat(events)
        .containsExactly("o sends [2]", "client 2", "o closes [2]", "o hears 2 Failed");
  }

  @Test
  void a_list_is_one_scope_and_has_an_answer_for_each() throws Exception {
    Publisher.batch(list -> list.stream().map(each -> Ack.delivered()).toList())
        .observed(noting("o"))
        .publish(flight);

    assertThat(events)
        .containsExactly(
            "o sends [1, 2]",
            "o closes [1, 2]",
            "o hears 1 Delivered",
            "o hears 2 Delivered",
            "o sends [3]",
            "o closes [3]",
            "o hears 3 Delivered");
  }

  @Test
  void a_send_in_the_claims_transaction_lies_in_its_scope() throws Exception {
    RecordingFlight claim = RecordingFlight.in(RecordingConnection.of(events), first);
    Publisher.transactional((envelope, transaction) -> client(envelope))
        .observed(noting("o"))
        .publish(claim);

    assertThat(events)
        .containsExactly(
            "o sends [1]", "setSavepoint", "client 1", "o closes [1]", "o hears 1 Delivered");
  }

  @Test
  void a_publisher_of_the_users_own_is_watched_by_the_flight() throws Exception {
    Publisher own =
        each -> {
          each.ack(first, Ack.delivered());
          throw new IllegalArgumentException("gone");
        };

    own.observed(noting("o")).publish(flight);

    assertThat(events)
        .containsExactly(
            "o sends [1, 2, 3]",
            "o hears 1 Delivered",
            "o hears 2 Failed",
            "o hears 3 Failed",
            "o closes [1, 2, 3]");
    assertThat(flight.answer(second)).isInstanceOf(Ack.Failed.class);
    assertThat(own.observed(noting("o")).ordering()).isEqualTo(Ordering.ONE_PER_KEY);
  }

  @Test
  void it_hears_what_a_classifier_made_of_a_failure_before_or_after_it() throws Exception {
    Publisher plain = Publisher.blocking(this::client);
    Stream<Publisher> both =
        Stream.of(
            plain.classify(thrown -> Ack.rejected("never")).observed(noting("o")),
            plain.observed(noting("o")).classify(thrown -> Ack.rejected("never")));

    for (Publisher publisher : both.toList()) {
      events.clear();
      publisher.publish(RecordingFlight.of(second));
      assertThat(events).contains("o hears 2 Rejected");
    }
  }

  @Test
  void a_publishers_own_way_to_be_watched_is_asked_behind_a_classifier() throws Exception {
    Publisher own = new Own(Publisher.blocking(this::client));

    own.classify(thrown -> Ack.rejected("never"))
        .observed(noting("o"))
        .publish(RecordingFlight.of(first, second));

    assertThat(events)
        .as("send by send, and as the classifier reads it")
        .containsExactly(
            "o sends [1]",
            "client 1",
            "o closes [1]",
            "o hears 1 Delivered",
            "o sends [2]",
            "client 2",
            "o closes [2]",
            "o hears 2 Rejected");
  }

  /** Knows how to be watched, and nothing of classifiers. */
  private record Own(Publisher inner) implements Publisher {
    @Override
    public void publish(Flight flight) throws Exception {
      inner.publish(flight);
    }

    @Override
    public Publisher observed(SendObserver observer) {
      return new Own(inner.observed(observer));
    }
  }

  @Test
  void a_second_answer_for_a_message_is_not_heard_and_reaches_the_flight_unread() throws Exception {
    List<Throwable> read = new ArrayList<>();
    Publisher twice =
        each -> {
          each.ack(first, Ack.delivered());
          each.ack(first, Ack.failed(new IllegalStateException("twice")));
        };
    RecordingFlight one = RecordingFlight.of(first);

    twice
        .classify(
            thrown -> {
              read.add(thrown);
              return Ack.rejected("never");
            })
        .observed(noting("o"))
        .publish(one);

    assertThat(events).containsExactly("o sends [1]", "o hears 1 Delivered", "o closes [1]");
    assertThat(read).isEmpty();
    assertThat(one.answer(first)).isEqualTo(Ack.delivered());
    assertThat(one.ignored()).isEqualTo(1);
  }

  @Test
  void decorators_pass_it_on_to_single_sends() throws Exception {
    Publisher plain = Publisher.blocking(this::client);
    BrokerGuarantees durable = BrokerGuarantees.nothing().durable(BrokerGuarantees.Durability.DISK);
    for (Publisher publisher :
        List.of(
            plain.withGuarantees(durable),
            plain.resolving(Resolver.none()),
            Publisher.route(Map.of("orders", plain)))) {
      events.clear();
      publisher.observed(noting("o")).publish(RecordingFlight.of(first));
      assertThat(events)
          .containsExactly("o sends [1]", "client 1", "o closes [1]", "o hears 1 Delivered");
    }
  }

  @Test
  void it_sees_the_loaded_payload_of_a_reference() throws Exception {
    Payload row = new Payload("text/plain", "row".getBytes(StandardCharsets.UTF_8));
    Envelope reference =
        new Envelope(
            MessageId.next(),
            "mails",
            null,
            Map.of(),
            Reference.UNRESOLVED,
            null,
            new Reference("mails", "7"));
    Publisher.blocking(envelope -> {})
        .resolving((references, claim) -> Map.of(new Reference("mails", "7"), row))
        .observed(
            list -> {
              events.add(list.get(0).payload().text());
              return () -> {};
            })
        .publish(RecordingFlight.of(reference));

    assertThat(events).containsExactly("row");
  }

  @Test
  void of_two_the_later_is_outside() throws Exception {
    Publisher.blocking(this::client)
        .observed(noting("inner"))
        .observed(noting("outer"))
        .publish(RecordingFlight.of(first));

    assertThat(events)
        .containsExactly(
            "outer sends [1]",
            "inner sends [1]",
            "client 1",
            "inner closes [1]",
            "outer closes [1]",
            "inner hears 1 Delivered",
            "outer hears 1 Delivered");
  }

  @Test
  void what_an_observer_throws_changes_nothing() throws Exception {
    SendObserver broken =
        list -> {
          throw new IllegalStateException("a bug in the observer");
        };
    SendObserver brokenLater =
        list ->
            new SendObserver.Scope() {
              @Override
              public void answered(Envelope envelope, Ack ack) {
                throw new IllegalStateException("a bug in the observer");
              }

              @Override
              public void close() {
                throw new AssertionError("a bug in the observer");
              }
            };
    RecordingFlight other = RecordingFlight.of(first, keyless());
    Publisher.blocking(this::client)
        .observed(noting("o"))
        .observed(broken)
        .observed(brokenLater)
        .observed(list -> null)
        .publish(other);

    assertThat(other.kinds()).containsOnly(Ack.Delivered.class);
    assertThat(events).contains("o sends [1]", "o closes [1]", "o hears 1 Delivered");
  }
}
