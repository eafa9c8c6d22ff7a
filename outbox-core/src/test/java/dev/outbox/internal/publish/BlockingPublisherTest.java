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
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockingPublisherTest {
  private final List<Envelope> sent = new ArrayList<>();

  @Test
  void returning_is_Delivered() throws Exception {
    Envelope one = keyed("a");
    RecordingFlight flight = RecordingFlight.of(one);

    Publisher.blocking(sent::add).publish(flight);

    assertThat(flight.answer(one)).isEqualTo(Ack.delivered());
    assertThat(sent).containsExactly(one);
  }

  @Test
  void after_a_failure_the_rest_of_its_key_is_not_sent_and_other_keys_go_on() throws Exception {
    Envelope a1 = keyed("a");
    Envelope b1 = keyed("b");
    Envelope a2 = keyed("a");
    Envelope b2 = keyed("b");
    Envelope none = keyless();
    RecordingFlight flight = RecordingFlight.of(a1, b1, a2, b2, none);

    Publisher.blocking(failingAt(a1, new IllegalStateException("no"))).publish(flight);

    assertThat(sent).containsExactly(a1, b1, b2, none);
    assertThat(flight.kinds())
        .containsExactly(
            Ack.Failed.class,
            Ack.Delivered.class,
            Ack.NotSent.class,
            Ack.Delivered.class,
            Ack.Delivered.class);
    assertThat(flight.answer(a2)).isInstanceOf(Ack.NotSent.class);
  }

  @Test
  void the_same_key_of_another_topic_goes_on() throws Exception {
    Envelope a1 = keyed("a");
    Envelope elsewhere = RecordingFlight.envelope("invoices", "a");
    RecordingFlight flight = RecordingFlight.of(a1, elsewhere);

    Publisher.blocking(failingAt(a1, new ConnectException("refused"))).publish(flight);

    assertThat(flight.kinds()).containsExactly(Ack.Unavailable.class, Ack.Delivered.class);
  }

  @Test
  void messages_without_a_key_do_not_hold_each_other_back() throws Exception {
    Envelope first = keyless();
    Envelope second = keyless();
    RecordingFlight flight = RecordingFlight.of(first, second);

    Publisher.blocking(failingAt(first, new IllegalStateException("no"))).publish(flight);

    assertThat(flight.kinds()).containsExactly(Ack.Failed.class, Ack.Delivered.class);
  }

  @Test
  void an_Error_fails_its_own_message_only() throws Exception {
    Envelope poison = keyed("a");
    Envelope innocent = keyed("b");
    RecordingFlight flight = RecordingFlight.of(poison, innocent);

    Publisher.blocking(failingAt(poison, new StackOverflowError())).publish(flight);

    assertThat(flight.kinds()).containsExactly(Ack.Failed.class, Ack.Delivered.class);
  }

  @Test
  void an_interrupt_is_no_fault_of_the_message_and_stays_set() throws Exception {
    Envelope one = keyed("a");
    RecordingFlight flight = RecordingFlight.of(one);

    Publisher.blocking(failingAt(one, new InterruptedException())).publish(flight);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(flight.answer(one)).isInstanceOf(Ack.Unavailable.class);
  }

  @Test
  void sends_nothing_more_once_the_flight_is_over_and_counts_it_against_no_message()
      throws Exception {
    Envelope one = keyed("a");
    Envelope late = keyed("b");
    RecordingFlight flight = RecordingFlight.of(one, late);

    Publisher.blocking(
            envelope -> {
              sent.add(envelope);
              flight.over = true;
            })
        .publish(flight);

    assertThat(sent).containsExactly(one);
    assertThat(flight.kinds()).containsExactly(Ack.Delivered.class, Ack.NotSent.class);
  }

  @Test
  void takes_whole_keys_in_one_flight() {
    assertThat(Publisher.blocking(sent::add).ordering()).isEqualTo(Ordering.PIPELINED);
  }

  private Publisher.Send failingAt(Envelope bad, Throwable thrown) {
    return envelope -> {
      sent.add(envelope);
      if (envelope.equals(bad)) {
        throw BlockingPublisherTest.<RuntimeException>sneaky(thrown);
      }
    };
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException sneaky(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
