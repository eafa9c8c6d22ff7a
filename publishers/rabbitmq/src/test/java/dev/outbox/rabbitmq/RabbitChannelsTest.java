package dev.outbox.rabbitmq;

import static dev.outbox.rabbitmq.Answers.DEADLINE;
import static dev.outbox.rabbitmq.Answers.answer;
import static dev.outbox.rabbitmq.Answers.message;
import static dev.outbox.rabbitmq.Answers.requireDelivered;
import static dev.outbox.rabbitmq.Answers.requireRejected;
import static dev.outbox.rabbitmq.Answers.withLongHeader;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.NoOpMetricsCollector;
import dev.outbox.publish.Ack;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A channel for each exchange, on a connection that has few; the topic names the exchange. */
@Tag("proof")
class RabbitChannelsTest {
  private static final List<String> EXCHANGES = List.of("amq.direct", "amq.fanout", "amq.topic");

  private final TestBroker broker = TestBroker.get();
  private String queue;

  @RegisterExtension final TestPublishers publishers = new TestPublishers();

  @BeforeEach
  void bind() throws Exception {
    queue = broker.newQueue(Map.of());
    for (String exchange : EXCHANGES) {
      broker.use(channel -> channel.queueBind(queue, exchange, queue));
    }
  }

  private RabbitPublisher publisher(RabbitPublisher.Builder builder) {
    return publishers.of(builder.destination(envelope -> new Destination(envelope.topic(), queue)));
  }

  private RabbitPublisher publisher(ConnectionFactory factory, int channels) {
    factory.setRequestedChannelMax(channels);
    return publisher(RabbitPublisher.builder(factory));
  }

  @Test
  void more_exchanges_than_channels_are_served() throws Exception {
    List<String> many = IntStream.range(0, 100).mapToObj(number -> "many." + number).toList();
    broker.use(
        channel -> {
          for (String exchange : many) {
            channel.exchangeDeclare(exchange, "fanout");
            channel.queueBind(queue, exchange, "");
          }
          return null;
        });
    try (Connection given = broker.factory().newConnection()) {
      RabbitPublisher publisher = publisher(RabbitPublisher.builder(given));
      for (String exchange : many) {
        requireDelivered(answer(publisher, message(exchange)));
      }
      String channels = broker.server.control("list_channels", "number", "--no-table-headers");
      assertThat(channels.strip().lines().count()).isBetween(1L, 64L);
    }
    assertThat(broker.messages(queue)).hasSize(100);
  }

  /** The client gives no channel back whose opening has timed out. */
  @Test
  void channels_that_open_too_late_are_not_missed_for_ever() throws Exception {
    RabbitPublisher publisher = publisher(broker.behindTheNetwork(), 3);
    requireDelivered(answer(publisher, message("amq.direct")));
    broker.network.delay(DEADLINE.dividedBy(5)); // the client waits for a tenth
    Throwable why = null;
    for (int attempt = 0; attempt < 3; attempt++) {
      why = refusedOtherwise(publisher, why);
    }
    broker.network.restore();
    assertTimeoutPreemptively(
        DEADLINE,
        () -> {
          while (!(answer(publisher, message("amq.fanout")) instanceof Ack.Delivered)) {
            Thread.onSpinWait();
          }
        });
  }

  /** Until the next attempt, each message is refused for the reason {@code before}. */
  private static Throwable refusedOtherwise(RabbitPublisher publisher, Throwable before)
      throws Exception {
    return assertTimeoutPreemptively(
        DEADLINE,
        () -> {
          Throwable why = before;
          while (why == before) {
            Ack ack = answer(publisher, message("amq.fanout"));
            assertThat(ack).isInstanceOf(Ack.Unavailable.class);
            why = ((Ack.Unavailable) ack).cause();
          }
          return why;
        });
  }

  /** Of a connection that was given there is no socket to cut. */
  @Test
  void a_channel_that_confirms_too_late_is_given_back_to_a_connection_that_was_given()
      throws Exception {
    ConnectionFactory factory = broker.behindTheNetwork();
    factory.setRequestedChannelMax(2);
    factory.setChannelRpcTimeout(500);
    AtomicInteger opened = new AtomicInteger();
    factory.setMetricsCollector(
        new NoOpMetricsCollector() {
          @Override
          public void newChannel(Channel channel) {
            if (opened.incrementAndGet() <= 3) {
              broker.network.delay(Duration.ofSeconds(1));
            }
          }
        });
    try (Connection given = factory.newConnection()) {
      RabbitPublisher publisher = publisher(RabbitPublisher.builder(given));
      assertTimeoutPreemptively(
          DEADLINE.multipliedBy(2),
          () -> {
            while (!(answer(publisher, message("amq.direct")) instanceof Ack.Delivered)) {
              broker.network.restore();
            }
          });
      publisher.close();
      assertThat(opened).hasValue(4);
    }
  }

  /** The client counts a message that it cannot write: the channel is of no use, but not closed. */
  @Test
  void a_channel_that_was_given_up_makes_room_and_leaves_the_connection_to_others()
      throws Exception {
    ConnectionFactory factory = broker.factory();
    factory.setRequestedFrameMax(1 << 20); // the broker has 128 KiB
    RabbitPublisher publisher = publisher(factory, 2);
    requireDelivered(answer(publisher, message("amq.direct")));
    requireRejected(
        answer(publisher, withLongHeader("amq.fanout", 200_000)), "RabbitMQ's client refuses it");
    requireDelivered(answer(publisher, message("amq.topic")));
  }

  @Test
  void a_connection_with_fewer_channels_than_exchanges_gives_up_those_that_are_idle()
      throws Exception {
    RabbitPublisher publisher = publisher(broker.factory(), 2);
    for (String exchange : EXCHANGES) {
      requireDelivered(answer(publisher, message(exchange)));
    }
    requireDelivered(answer(publisher, message(EXCHANGES.get(0))));
    assertThat(broker.messages(queue)).hasSize(4);
  }

  /** Two flights, and two channels: whatever one needs is free or idle. */
  @Test
  void an_idle_channel_is_not_given_up_while_a_message_is_put_on_it() throws Exception {
    RabbitPublisher publisher = publisher(broker.factory(), 2);
    Callable<Void> sending =
        () -> {
          for (int number = 0; number < 300; number++) {
            String exchange = EXCHANGES.get(ThreadLocalRandom.current().nextInt(3));
            requireDelivered(answer(publisher, message(exchange)));
          }
          return null;
        };
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (Future<Void> sent : threads.invokeAll(List.of(sending, sending))) {
        sent.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(broker.messages(queue)).hasSize(600);
  }
}
