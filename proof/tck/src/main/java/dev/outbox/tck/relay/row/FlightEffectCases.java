package dev.outbox.tck.relay.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.testkit.ManualRelay;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An application's own publishers write in the claim's transaction, a flight at a time. */
public abstract class FlightEffectCases extends RowRelayCases {
  protected FlightEffectCases(Opener opener) {
    super(opener);
  }

  /** A transactional publisher of the application. */
  private interface Own extends Publisher {
    @Override
    default boolean isTransactional() {
      return true;
    }
  }

  @Test
  void a_transactional_publisher_of_ones_own_that_throws_has_its_whole_flight_undone()
      throws Exception {
    List<String> sent = new ArrayList<>();
    Own own =
        flight -> {
          for (Envelope envelope : flight.envelopes()) {
            if (envelope.topic().equals(TOPIC)) {
              storeLedger().write(flight.transaction(), envelope.payload().text());
              sent.add(envelope.payload().text());
              if (sent.size() == 3) {
                throw new IllegalStateException("no room");
              }
              flight.ack(envelope, Ack.delivered());
            }
          }
        };
    commitNumbered(5);
    ManualRelay relay = started(relay("a", own));
    relay.drainNow();
    assertThat(sent).hasSize(3);
    assertThat(tableCounts().parked()).isEqualTo(5);
    assertThat(countingListener.delivered).hasValue(0);
    pass(REST);
    relay.drainNow();
    assertThat(tableCounts().parked()).isZero();
    assertThat(storeLedger().entries()).isEqualTo(numbers("u", 5));
  }

  @Test
  void in_a_route_a_transactional_publisher_that_throws_undoes_and_holds_its_own_topic_only()
      throws Exception {
    boolean[] down = {true};
    Own banking =
        flight -> {
          for (Envelope envelope : flight.envelopes()) {
            storeLedger().write(flight.transaction(), envelope.payload().text());
            flight.ack(envelope, Ack.delivered());
          }
          if (down[0]) {
            throw new ConnectException("the bank is down");
          }
        };
    Own booking =
        flight -> {
          for (Envelope envelope : flight.envelopes()) {
            storeLedger().write(flight.transaction(), envelope.payload().text());
            flight.ack(envelope, Ack.delivered());
          }
        };
    ManualRelay relay =
        started(relay("a", Publisher.route(Map.of("bank", banking, TOPIC, booking))));
    commit(Message.to("bank").text("b 0"), unkeyed("u 0"), Message.to("bank").text("b 1"));
    relay.drainNow();
    assertThat(countingListener.delivered).hasValue(1);
    commit(unkeyed("u 1"));
    relay.drainNow();
    assertThat(countingListener.delivered).hasValue(2);
    down[0] = false;
    for (int minute = 0; minute < 3; minute++) {
      pass(Duration.ofMinutes(1));
      relay.drainNow();
    }
    assertThat(storeLedger().entries()).containsExactlyInAnyOrder("b 0", "b 1", "u 0", "u 1");
    assertThat(dead()).isEmpty();
  }

  @Test
  void a_classifier_reads_what_a_transactional_publisher_of_ones_own_throws() throws Exception {
    Own own =
        flight -> {
          storeLedger().write(flight.transaction(), "half an effect");
          throw new IllegalArgumentException("no such account");
        };
    commitNumbered(2);
    Publisher rejecting = own.classify(cause -> Ack.rejected(String.valueOf(cause.getMessage())));
    started(relay("a", rejecting)).drainNow();
    assertThat(dead())
        .extracting(DeadLetter::error)
        .containsExactly("no such account", "no such account");
    assertThat(storeLedger().entries()).isEmpty();
  }
}
