package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class InMemoryBrokerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final SettableClock clock = SettableClock.create();
  private final InMemoryBroker broker = InMemoryBroker.withClock(clock);

  private static Envelope envelope(String topic, String key, String text) {
    Payload payload = new Payload("text/plain", text.getBytes(StandardCharsets.UTF_8));
    return new Envelope(MessageId.next(), topic, new Key(key), Map.of(), payload, null);
  }

  private Envelope sent(String key, String text) throws Exception {
    Envelope envelope = envelope("t", key, text);
    broker.receive(envelope);
    return envelope;
  }

  private static List<String> texts(List<Arrival> arrivals) {
    return arrivals.stream().map(Arrival::text).toList();
  }

  @Test
  void says_what_overtook_what() throws Exception {
    Envelope second = sent("a", "1");
    Envelope other = sent("b", "0");
    Envelope first = sent("a", "0");
    broker.receive(second);

    List<Overtaking> found = broker.overtakings(List.of(first.id(), second.id(), other.id()));

    assertThat(found)
        .singleElement()
        .hasToString(
            "t/a: arrival 1 (%s) overtook arrival 3 (%s)".formatted(second.id(), first.id()));
    assertThat(broker.overtakingsBy(Arrival::text)).isEqualTo(found);
    assertThat(broker.overtakings(List.of(second.id(), other.id(), first.id()))).isEmpty();
  }

  @Test
  void waiting_for_none_is_refused_and_the_remedy_is_named() {
    String remedy =
        "count is 0, the minimum is 1; for none, use assertThat(broker).hasReceivedNothing()";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> broker.await(0, PATIENCE))
        .withMessage(remedy);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> broker.awaitIds(0, PATIENCE))
        .withMessage(remedy);
  }

  @Test
  void a_window_of_ids_forgets_the_oldest() throws Exception {
    InMemoryBroker careful = InMemoryBroker.builder().dedupe(2).build();
    Envelope first = envelope("t", "a", "0");
    careful.receive(first);
    careful.receive(first);
    careful.receive(envelope("t", "a", "1"));
    careful.receive(envelope("t", "a", "2"));
    careful.receive(first);
    assertThat(careful.dropped()).isEqualTo(1);
    assertThat(careful.texts("t", "a")).containsExactly("0", "1", "2", "0");
  }

  @Test
  void a_window_of_time_forgets_by_the_brokers_clock() throws Exception {
    InMemoryBroker careful =
        InMemoryBroker.builder().clock(clock).dedupe(Duration.ofMinutes(2)).build();
    Envelope envelope = envelope("t", "a", "0");
    careful.receive(envelope);
    clock.advance(Duration.ofSeconds(119));
    careful.receive(envelope);
    assertThat(careful.count()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(1));
    careful.receive(envelope);
    assertThat(careful.count()).isEqualTo(2);
    assertThat(careful.dropped()).isEqualTo(1);
  }

  @Test
  void a_script_is_followed_one_fault_an_envelope_and_ends_with_heal() throws Exception {
    broker.next(BrokerFault.none(), BrokerFault.refuse(new IllegalStateException("full")));
    broker.next(5, BrokerFault.timeOut());
    sent("a", "0");
    assertThatThrownBy(() -> sent("a", "1")).hasMessage("full");
    broker.heal();
    sent("a", "2");
    assertThat(broker.texts("t", "a")).containsExactly("0", "2");
  }

  @Test
  void what_a_condition_fits_meets_its_fault_each_time() throws Exception {
    broker.when(envelope -> new Key("bad").equals(envelope.key()), BrokerFault.refuse());
    for (int time = 0; time < 3; time++) {
      assertThatThrownBy(() -> sent("bad", "0")).isInstanceOf(IllegalStateException.class);
    }
    sent("good", "0");
    assertThat(broker.count()).isEqualTo(1);
  }

  @Test
  void an_outage_ends_with_its_time_or_with_up() throws Exception {
    broker.downFor(Duration.ofMinutes(1));
    assertThatThrownBy(() -> sent("a", "0")).isInstanceOf(ConnectException.class);
    clock.advance(Duration.ofMinutes(1));
    sent("a", "0");
    broker.down();
    clock.advance(Duration.ofDays(1));
    assertThatThrownBy(() -> sent("a", "1")).isInstanceOf(ConnectException.class);
    broker.up();
    sent("a", "1");
    assertThat(broker.texts("t", "a")).containsExactly("0", "1");
  }

  @Test
  void probabilities_are_checked() {
    assertThatThrownBy(
            () ->
                broker.randomly(
                    1, Map.of(BrokerFault.timeOut(), 0.7, BrokerFault.loseConfirm(), 0.7)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the sum at most 1");
  }

  @Test
  void a_group_reads_on_where_it_has_committed() throws Exception {
    sent("a", "0");
    sent("a", "1");
    sent("a", "2");
    Subscription first = broker.subscribe("t", "billing");
    assertThat(texts(first.poll(2))).containsExactly("0", "1");
    first.commit();
    assertThat(texts(first.poll(2))).containsExactly("2");
    assertThat(first.offset()).isEqualTo(2);
    assertThat(first.lag()).isEqualTo(1);

    Subscription second = broker.subscribe("t", "billing");
    assertThat(texts(second.poll(10))).containsExactly("2");
    second.commit();
    assertThat(second.lag()).isZero();
    assertThat(second.offset()).isEqualTo(3);
    assertThatThrownBy(() -> first.poll(1)).hasMessageContaining("subscribed to t again");
    assertThat(texts(broker.subscribe("t", "audit").poll(10))).containsExactly("0", "1", "2");
  }

  @Test
  void what_is_handed_back_comes_again_and_the_rest_does_not() throws Exception {
    sent("a", "0");
    sent("a", "1");
    sent("a", "2");
    Subscription subscription = broker.subscribe("t", "billing");
    List<Arrival> polled = subscription.poll(2);
    subscription.nack(polled.get(0));
    subscription.commit();
    assertThat(subscription.offset()).isZero();
    assertThat(texts(subscription.poll(10))).containsExactly("0", "2");
    subscription.commit(polled.get(0));
    subscription.redeliver();
    assertThat(texts(subscription.poll(10))).containsExactly("2");
    subscription.nack(polled.get(0));
    assertThat(subscription.poll(10)).as("what was committed is not handed back").isEmpty();
  }

  @Test
  void a_poll_waits_for_what_arrives() throws Exception {
    Subscription subscription = broker.subscribe("t", "billing");
    CompletableFuture<List<Arrival>> polled =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return subscription.poll(5, PATIENCE);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    sent("a", "0");
    assertThat(texts(polled.join())).containsExactly("0");
    assertThat(subscription.poll(5, Duration.ofMillis(1))).isEmpty();
  }

  @Test
  void a_cleared_broker_begins_again_for_its_consumers_too() throws Exception {
    Subscription subscription = broker.subscribe("t", "billing");
    sent("a", "0");
    subscription.poll(1);
    broker.clear();
    sent("a", "1");
    assertThat(texts(subscription.poll(10))).containsExactly("1");
    assertThat(broker.messages().get(0).number()).isEqualTo(1);
  }

  @Test
  void arrivals_carry_the_time_of_the_brokers_clock() throws Exception {
    sent("a", "0");
    Instant later = clock.advance(Duration.ofSeconds(3));
    sent("a", "1");
    assertThat(broker.messages())
        .extracting(Arrival::at)
        .containsExactly(later.minusSeconds(3), later);
  }
}
