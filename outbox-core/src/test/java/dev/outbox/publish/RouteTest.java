package dev.outbox.publish;

import static dev.outbox.publish.RecordingFlight.envelope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.message.Envelope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RouteTest {
  private static final Publisher BLOCKING = Publisher.blocking(each -> {});
  private static final Publisher ASYNC = Publisher.async(each -> null);
  private static final Publisher TRANSACTIONAL = Publisher.transactional((each, connection) -> {});

  @Test
  void every_topic_goes_to_its_publisher_in_order() throws Exception {
    List<Envelope> orders = new ArrayList<>();
    List<Envelope> invoices = new ArrayList<>();
    Envelope o1 = envelope("orders", "a");
    Envelope i1 = envelope("invoices", "a");
    Envelope o2 = envelope("orders", "a");
    RecordingFlight flight = RecordingFlight.of(o1, i1, o2);

    Publisher.route(
            Map.of(
                "orders", Publisher.blocking(orders::add),
                "invoices", Publisher.blocking(invoices::add)))
        .publish(flight);

    assertThat(orders).containsExactly(o1, o2);
    assertThat(invoices).containsExactly(i1);
    assertThat(flight.kinds()).containsOnly(Ack.Delivered.class);
  }

  @Test
  void an_unknown_topic_is_Unavailable_and_names_the_known_ones() throws Exception {
    Envelope unknown = envelope("payments", null);
    RecordingFlight flight = RecordingFlight.of(unknown);

    Publisher.route(Map.of("orders", BLOCKING, "invoices", BLOCKING)).publish(flight);

    assertThat(flight.answer(unknown)).isInstanceOf(Ack.Unavailable.class);
    assertThat(((Ack.Unavailable) flight.answer(unknown)).cause())
        .hasMessage("no publisher for topic 'payments'; the route knows [invoices, orders]");
  }

  @Test
  void a_part_that_throws_fails_its_own_open_messages_only() throws Exception {
    for (Throwable thrown :
        List.of(new IllegalStateException("closed"), new NoClassDefFoundError("client"))) {
      Envelope answered = envelope("orders", "a");
      Envelope open = envelope("orders", "b");
      Envelope other = envelope("invoices", "a");
      RecordingFlight flight = RecordingFlight.of(answered, open, other);
      Publisher throwing =
          each -> {
            each.ack(answered, Ack.delivered());
            if (thrown instanceof Error error) {
              throw error;
            }
            throw (Exception) thrown;
          };

      Publisher.route(Map.of("orders", throwing, "invoices", BLOCKING)).publish(flight);

      assertThat(flight.kinds())
          .containsExactly(Ack.Delivered.class, Ack.Failed.class, Ack.Delivered.class);
      assertThat(flight.ignored()).isZero();
    }
  }

  @Test
  void promises_order_only_where_every_part_does() {
    assertThat(Publisher.route(Map.of("a", BLOCKING, "b", BLOCKING)).ordering())
        .isEqualTo(Ordering.PIPELINED);
    assertThat(Publisher.route(Map.of("a", BLOCKING, "b", ASYNC)).ordering())
        .isEqualTo(Ordering.ONE_PER_KEY);
  }

  @Test
  void refuses_to_mix_transactional_publishers_with_others() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Publisher.route(Map.of("a", TRANSACTIONAL, "b", BLOCKING)))
        .withMessageContaining("mixes transactional");
    assertThat(Publisher.route(Map.of("a", TRANSACTIONAL)).isTransactional()).isTrue();
    assertThat(Publisher.route(Map.of("a", BLOCKING)).isTransactional()).isFalse();
  }

  @Test
  void refuses_to_be_empty() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Publisher.route(Map.of()))
        .withMessage("route has no topics; name at least one");
  }
}
