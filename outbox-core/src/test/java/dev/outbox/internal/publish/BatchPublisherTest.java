package dev.outbox.internal.publish;

import static dev.outbox.publish.RecordingFlight.keyed;
import static dev.outbox.publish.RecordingFlight.keyless;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.RecordingFlight;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchPublisherTest {
  private final List<List<Envelope>> lists = new ArrayList<>();
  private final Envelope a1 = keyed("a");
  private final Envelope b1 = keyed("b");
  private final Envelope a2 = keyed("a");
  private final Envelope none = keyless();
  private final Envelope a3 = keyed("a");
  private final RecordingFlight flight = RecordingFlight.of(a1, b1, a2, none, a3);

  @Test
  void what_has_different_keys_or_none_goes_in_one_list() throws Exception {
    RecordingFlight whole = RecordingFlight.of(a1, none, b1, keyless());

    Publisher.batch(this::allDelivered).publish(whole);

    assertThat(lists).containsExactly(whole.envelopes());
    assertThat(whole.kinds()).containsOnly(Ack.Delivered.class);
  }

  @Test
  void the_next_of_a_key_goes_when_the_list_before_was_answered() throws Exception {
    Publisher.batch(this::allDelivered).publish(flight);

    assertThat(lists).containsExactly(List.of(a1, b1, none), List.of(a2), List.of(a3));
    assertThat(flight.kinds()).containsOnly(Ack.Delivered.class);
  }

  @Test
  void after_one_that_was_not_delivered_the_rest_of_its_key_is_not_sent() throws Exception {
    Ack no = Ack.failed(new IllegalStateException("no"));
    Publisher.batch(
            list -> {
              lists.add(list);
              return list.stream().map(each -> each.equals(a2) ? no : Ack.delivered()).toList();
            })
        .publish(flight);

    assertThat(lists).containsExactly(List.of(a1, b1, none), List.of(a2));
    assertThat(flight.answer(a2)).isEqualTo(no);
    assertThat(flight.answer(a3)).isInstanceOf(Ack.NotSent.class);
  }

  @Test
  void what_is_thrown_answers_the_list_and_nothing_else() throws Exception {
    Publisher.batch(
            list -> {
              if (list.contains(a2)) {
                throw new ConnectException("refused");
              }
              return allDelivered(list);
            })
        .publish(flight);

    assertThat(flight.kinds())
        .containsExactly(
            Ack.Delivered.class,
            Ack.Delivered.class,
            Ack.Unavailable.class,
            Ack.Delivered.class,
            Ack.NotSent.class);
  }

  @Test
  void an_interrupt_is_no_fault_of_the_messages_and_stays_set() throws Exception {
    Publisher.batch(
            list -> {
              throw new InterruptedException();
            })
        .publish(flight);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(flight.answer(a1)).isInstanceOf(Ack.Unavailable.class);
  }

  @Test
  void a_list_of_another_size_is_refused_with_both_numbers() throws Exception {
    for (List<Ack> answers :
        Arrays.asList(List.of(Ack.delivered()), Collections.nCopies(4, Ack.delivered()), null)) {
      RecordingFlight each = RecordingFlight.of(a1, b1, none);
      Publisher.batch(list -> answers).publish(each);

      assertThat(each.kinds()).containsOnly(Ack.Failed.class);
      assertThat(((Ack.Failed) each.answer(a1)).cause())
          .hasMessage(
              "a batch of 3 messages was answered by %s; return one Ack for each message, in their order",
              answers == null ? "null" : answers.size() + " Acks");
    }
  }

  @Test
  void a_null_in_the_list_fails_its_own_message() throws Exception {
    RecordingFlight each = RecordingFlight.of(a1, b1);
    Publisher.batch(list -> Arrays.asList(Ack.delivered(), null)).publish(each);

    assertThat(each.kinds()).containsExactly(Ack.Delivered.class, Ack.Failed.class);
    assertThat(((Ack.Failed) each.answer(b1)).cause())
        .hasMessageContaining("null; return one Ack for each message");
  }

  @Test
  void hands_over_nothing_more_once_the_flight_is_over_and_counts_it_against_no_message()
      throws Exception {
    Publisher.batch(
            list -> {
              flight.over = true;
              return allDelivered(list);
            })
        .publish(flight);

    assertThat(lists).containsExactly(List.of(a1, b1, none));
    assertThat(flight.answer(a2)).isInstanceOf(Ack.NotSent.class);
    assertThat(flight.answer(a3)).isInstanceOf(Ack.NotSent.class);
  }

  @Test
  void a_failure_read_as_Delivered_does_not_stop_its_key() throws Exception {
    Publisher.batch(
            list -> {
              lists.add(list);
              return Collections.nCopies(list.size(), Ack.failed(new IllegalStateException("dup")));
            })
        .classify(thrown -> Ack.delivered())
        .publish(flight);

    assertThat(lists).hasSize(3);
    assertThat(flight.kinds()).containsOnly(Ack.Delivered.class);
  }

  @Test
  void takes_whole_keys_in_one_flight() {
    assertThat(Publisher.batch(this::allDelivered).ordering()).isEqualTo(Ordering.PIPELINED);
  }

  private List<Ack> allDelivered(List<Envelope> list) {
    lists.add(list);
    return Collections.nCopies(list.size(), Ack.delivered());
  }
}
