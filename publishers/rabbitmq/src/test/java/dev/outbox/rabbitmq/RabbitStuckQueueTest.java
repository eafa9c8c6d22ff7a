package dev.outbox.rabbitmq;

import static dev.outbox.rabbitmq.Answers.answer;
import static dev.outbox.rabbitmq.Answers.message;
import static dev.outbox.rabbitmq.Answers.requireDelivered;
import static dev.outbox.rabbitmq.Answers.requireUnavailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The broker reads nothing more of a connection when a queue has taken none of its hundreds. */
@Tag("proof")
class RabbitStuckQueueTest {
  private static final Duration DEADLINE = Duration.ofSeconds(2);

  private final TestBroker broker = TestBroker.get();

  @RegisterExtension final TestPublishers publishers = new TestPublishers();

  /** The large ones are more than the buffers of a connection hold: a write is stuck, too. */
  @ParameterizedTest
  @CsvSource({"10, ''", "10000, ''", "10000, amq.direct"})
  void a_queue_that_takes_nothing_does_not_stop_the_others(int size, String exchangeOfOthers)
      throws Exception {
    String stuck = broker.newQueue(Map.of());
    String other = broker.newQueue(Map.of());
    broker.use(channel -> channel.queueBind(other, "amq.direct", other));
    RabbitPublisher publisher =
        publishers.of(
            RabbitPublisher.builder(broker.factory())
                .destination(
                    envelope ->
                        envelope.topic().equals(stuck)
                            ? Destination.queue(stuck)
                            : new Destination(exchangeOfOthers, other)),
            DEADLINE);
    requireDelivered(answer(publisher, message(stuck)));
    broker.tellQueue(stuck, "suspend");
    List<OneFlight> flights = many(stuck, size);
    FutureTask<Void> publishing = new FutureTask<>(() -> publish(publisher, flights));
    new Thread(publishing, "publishing").start();
    try {
      Thread.sleep(DEADLINE.toMillis() * 5 / 2);
      awaitDelivered(publisher, other);
      requireUnavailable(flights.get(0).await(), Exception.class);
    } finally {
      broker.tellQueue(stuck, "resume");
    }
    awaitDelivered(publisher, stuck);
    assertThat(publishing).succeedsWithin(DEADLINE.multipliedBy(4));
  }

  private static void awaitDelivered(RabbitPublisher publisher, String topic) {
    assertTimeoutPreemptively(
        DEADLINE.multipliedBy(4),
        () -> {
          while (!(answer(publisher, message(topic)) instanceof Ack.Delivered)) {
            Thread.sleep(50);
          }
        });
  }

  private static List<OneFlight> many(String queue, int size) {
    Envelope large = TestBroker.message(queue, null, new byte[size]);
    return Stream.generate(() -> new OneFlight(large, DEADLINE)).limit(2_000).toList();
  }

  private static Void publish(RabbitPublisher publisher, List<OneFlight> flights) throws Exception {
    for (OneFlight each : flights) {
      publisher.publish(each);
    }
    return null;
  }
}
