package dev.outbox.internal.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.BrokerGuarantees.Durability;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Resolver;
import dev.outbox.spi.Layout;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StartLineTest {
  private static final Layout LANES = new Layout(1, 32, Claiming.LANES);
  private static final Layout ROWS = new Layout(1, 1, Claiming.ROWS);

  private static final class KafkaPublisher implements Publisher {
    @Override
    public void publish(Flight flight) {}
  }

  @Test
  void says_how_the_work_is_shared_who_publishes_and_what_may_happen_twice() {
    assertThat(StartLine.text(LANES, new KafkaPublisher()))
        .isEqualTo(
            "32 lanes, publisher StartLineTest$KafkaPublisher; a message may be delivered twice after a crash");
    assertThat(StartLine.text(ROWS, Publisher.blocking(envelope -> {})))
        .startsWith("row claims, publisher BlockingPublisher; ");
    assertThat(StartLine.text(LANES, flight -> {})).contains("publisher lambda of StartLineTest; ");
  }

  @Test
  void names_only_guarantees_that_are_declared_and_the_class_behind_what_wraps_it() {
    Publisher declaring =
        new KafkaPublisher()
            .withGuarantees(BrokerGuarantees.nothing().durable(Durability.REPLICATED))
            .classify(Ack::failed)
            .observed(envelopes -> () -> {})
            .longestSend(Duration.ofSeconds(1))
            .resolving(Resolver.none());
    assertThat(StartLine.text(LANES, declaring))
        .endsWith(
            "KafkaPublisher; a message may be delivered twice after a crash; the broker: REPLICATED");
    assertThat(
            StartLine.text(
                LANES,
                declaring.withGuarantees(
                    BrokerGuarantees.nothing().dedupes(Duration.ofMinutes(2)))))
        .endsWith(
            "KafkaPublisher; a message may be sent twice after a crash; the broker: drops repeats for PT2M");
  }

  @Test
  void a_transactional_publisher_is_said_to_write_with_the_message() {
    assertThat(StartLine.text(ROWS, Publisher.transactional((envelope, connection) -> {})))
        .endsWith("TransactionalPublisher; what it writes is committed with the message");
  }
}
