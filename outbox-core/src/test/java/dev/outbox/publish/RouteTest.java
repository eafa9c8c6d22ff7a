package dev.outbox.publish;

import static dev.outbox.publish.RecordingFlight.envelope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Publisher.Ordering;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
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
        .hasMessage(
            "no publisher for topic 'payments'; add it to the route, which knows [invoices, orders]");
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
  void a_transactional_part_that_throws_is_undone_alone_and_answers_for_its_own_messages_only()
      throws Exception {
    List<String> calls = new ArrayList<>();
    Envelope answered = envelope("orders", null);
    Envelope open = envelope("orders", null);
    Envelope other = envelope("invoices", null);
    RecordingFlight flight =
        RecordingFlight.in(RecordingConnection.of(calls), answered, other, open);
    Publisher down =
        OwnTransactional.of(
            each -> {
              each.ack(answered, Ack.delivered());
              throw new ConnectException("its bank is down");
            });

    Publisher.route(Map.of("orders", down, "invoices", TRANSACTIONAL)).publish(flight);

    assertThat(flight.answer(answered)).isInstanceOf(Ack.Unavailable.class);
    assertThat(flight.answer(open)).isInstanceOf(Ack.Unavailable.class);
    assertThat(flight.answer(other)).isEqualTo(Ack.delivered());
    assertThat(flight.ignored()).isZero();
    assertThat(calls).startsWith("setSavepoint", "rollback").containsOnlyOnce("rollback");
  }

  @Test
  void a_transactional_part_may_answer_later() throws Exception {
    List<Flight> late = new ArrayList<>();
    Envelope order = envelope("orders", null);
    RecordingFlight flight = RecordingFlight.in(RecordingConnection.of(new ArrayList<>()), order);

    Publisher.route(Map.of("orders", OwnTransactional.of(late::add))).publish(flight);
    assertThat(flight.answer(order)).isNull();
    late.get(0).ack(order, Ack.delivered());

    assertThat(flight.answer(order)).isEqualTo(Ack.delivered());
  }

  @Test
  void a_part_that_cannot_be_undone_ends_the_flight_and_says_why() {
    Connection broken =
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                  if (method.getName().equals("rollback")) {
                    throw new SQLException("no such savepoint");
                  }
                  return null;
                });
    Publisher deadlocked =
        OwnTransactional.of(
            each -> {
              throw new IllegalStateException("deadlock");
            });

    assertThatThrownBy(
            () ->
                Publisher.route(Map.of("orders", deadlocked))
                    .publish(RecordingFlight.in(broken, envelope("orders", null))))
        .hasMessage("no such savepoint")
        .satisfies(thrown -> assertThat(thrown.getSuppressed()[0]).hasMessage("deadlock"));
  }

  @Test
  void names_what_is_null() {
    Map<String, Publisher> none = new HashMap<>();
    none.put("orders", null);
    assertThatThrownBy(() -> Publisher.route(none)).hasMessage("publisher of topic 'orders'");
    assertThatThrownBy(() -> Publisher.route(null)).hasMessage("byTopic");
    assertThatThrownBy(() -> BLOCKING.classify(null)).hasMessage("classifier");
    assertThatThrownBy(() -> Publisher.transactional(null)).hasMessage("send");
  }

  @Test
  void promises_order_only_where_every_part_does() {
    assertThat(Publisher.route(Map.of("a", BLOCKING, "b", BLOCKING)).ordering())
        .isEqualTo(Ordering.PIPELINED);
    assertThat(Publisher.route(Map.of("a", BLOCKING, "b", ASYNC)).ordering())
        .isEqualTo(Ordering.PIPELINED);
    assertThat(Publisher.route(Map.of("a", BLOCKING, "b", flight -> {})).ordering())
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

  @Test
  void refuses_a_topic_that_no_message_can_have() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Publisher.route(Map.of("orders", BLOCKING, " ", BLOCKING)))
        .withMessageStartingWith("topic has blanks only; ");
  }
}
