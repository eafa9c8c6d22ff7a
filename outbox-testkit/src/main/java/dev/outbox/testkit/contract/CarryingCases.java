package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What arrives is what was sent: id, key, headers and bytes. */
abstract class CarryingCases extends PublisherCases {
  CarryingCases(Opener opener) {
    super(opener);
  }

  @ParameterizedTest
  @EnumSource(AwkwardMessage.class)
  void arrives_unchanged_or_is_refused_where_the_broker_has_no_place_for_it(
      AwkwardMessage awkwardMessage) throws Exception {
    Envelope envelope = awkwardMessage.envelope(environment.topic());
    WatchedFlight flight = fly(envelope);
    if (environment.cannotCarry().contains(awkwardMessage)) {
      assertThat(flight.answer(envelope)).isInstanceOfAny(Ack.Rejected.class, Ack.Failed.class);
      assertThat(environment.received()).isEmpty();
      return;
    }
    assertThat(flight.answer(envelope)).isInstanceOf(Ack.Delivered.class);
    List<Received> received = environment.received();
    assertThat(received).hasSize(1);
    requireSame(received.get(0), Received.of(envelope));
  }

  private static void requireSame(Received received, Received sent) {
    assertThat(received.id()).as("id").isEqualTo(sent.id());
    assertThat(received.key()).as("key").isEqualTo(sent.key());
    assertThat(received.headers()).as("headers").containsAllEntriesOf(sent.headers());
    assertThat(received.bytes()).as("bytes of the payload").isEqualTo(sent.bytes());
  }
}
