package dev.outbox.rabbitmq;

import static dev.outbox.rabbitmq.Answers.DEADLINE;
import static dev.outbox.rabbitmq.Answers.answer;
import static dev.outbox.rabbitmq.Answers.begin;
import static dev.outbox.rabbitmq.Answers.message;
import static dev.outbox.rabbitmq.Answers.requireDelivered;
import static dev.outbox.rabbitmq.Answers.requireRejected;
import static dev.outbox.rabbitmq.Answers.requireUnavailable;
import static dev.outbox.rabbitmq.Answers.withLongHeader;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.NoOpMetricsCollector;
import com.rabbitmq.client.ShutdownSignalException;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.RabbitServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.nio.file.Files;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every row of the page's table, provoked on the real broker. */
@Tag("proof")
class RabbitErrorsTest {
  private final TestBroker broker = TestBroker.get();

  @RegisterExtension final TestPublishers publishers = new TestPublishers();

  private RabbitPublisher publisher(RabbitPublisher.Builder builder) {
    return publishers.of(builder);
  }

  private RabbitPublisher publisher() {
    return publisher(RabbitPublisher.builder(broker.factory()));
  }

  @Test
  void a_broker_that_is_down_is_unavailable_and_found_again() throws Exception {
    String queue = broker.newQueue(Map.of());
    RabbitPublisher publisher = publisher();
    requireDelivered(answer(publisher, message(queue)));
    broker.settle();
    broker.server.kill();
    requireUnavailable(answer(publisher, message(queue)), Exception.class);
    requireUnavailable(answer(publisher, message(queue)), ConnectException.class);
    broker.server.restart();
    requireDelivered(answer(publisher, message(queue)));
  }

  @Test
  void what_is_unconfirmed_when_the_connection_is_lost_is_unavailable() throws Exception {
    String queue = broker.newQueue(Map.of());
    RabbitPublisher publisher = publisher(RabbitPublisher.builder(broker.behindTheNetwork()));
    requireDelivered(answer(publisher, message(queue)));
    broker.network.delay(Duration.ofSeconds(2));
    OneFlight flight = begin(publisher, message(queue));
    broker.network.cut();
    requireUnavailable(flight.await(), ShutdownSignalException.class, "connection error");
  }

  /** By the heartbeat, which is a fifth of the deadline. */
  @Test
  void a_connection_without_a_sign_of_life_is_given_up_within_the_deadline() throws Exception {
    String queue = broker.newQueue(Map.of());
    RabbitPublisher publisher = publisher(RabbitPublisher.builder(broker.behindTheNetwork()));
    requireDelivered(answer(publisher, message(queue)));
    broker.network.silence();
    long begun = System.nanoTime();
    requireUnavailable(
        answer(publisher, message(queue)), ShutdownSignalException.class, "connection error");
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(DEADLINE);
  }

  /** A write that waits for the network holds locks that the client's own end of it wants. */
  @Test
  void a_network_that_takes_nothing_more_is_given_up_within_the_deadline_and_found_again()
      throws Exception {
    String queue = broker.newQueue(Map.of());
    RabbitPublisher publisher = publisher(RabbitPublisher.builder(broker.behindTheNetwork()));
    requireDelivered(answer(publisher, message(queue)));
    broker.network.silence();
    long begun = System.nanoTime();
    List<OneFlight> flights = beginLarge(publisher, queue);
    for (OneFlight each : flights) {
      requireUnavailable(each.await(), Exception.class);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(DEADLINE);
    broker.network.restore();
    requireDelivered(answer(publisher, message(queue)));
  }

  @Test
  void a_publisher_is_closed_though_its_node_takes_nothing_more() throws Exception {
    String queue = broker.newQueue(Map.of());
    RabbitPublisher publisher = publisher();
    requireDelivered(answer(publisher, message(queue)));
    broker.server.control("set_vm_memory_high_watermark", "0.0000001");
    List<OneFlight> flights = beginLarge(publisher, queue);
    requireUnavailable(answer(publisher, message(queue)), RabbitErrors.NotNow.class);
    assertTimeoutPreemptively(Duration.ofSeconds(20), publisher::close);
    for (OneFlight each : flights) {
      requireUnavailable(each.await(), Exception.class);
    }
    broker.server.control("set_vm_memory_high_watermark", "0.9");
  }

  @Test
  void a_publisher_on_a_connection_that_was_given_is_closed_though_its_node_takes_nothing_more()
      throws Exception {
    String queue = broker.newQueue(Map.of());
    try (Connection given = broker.factory().newConnection()) {
      RabbitPublisher publisher = publisher(RabbitPublisher.builder(given));
      requireDelivered(answer(publisher, message(queue)));
      broker.server.control("set_vm_memory_high_watermark", "0.0000001");
      try {
        List<OneFlight> unused = beginLarge(publisher, queue);
        requireUnavailable(answer(publisher, message(queue)), RabbitErrors.NotNow.class);
        assertTimeoutPreemptively(Duration.ofSeconds(20), publisher::close);
        requireUnavailable(
            answer(publisher, message(queue)), RabbitErrors.NotNow.class, "is closed");
      } finally {
        broker.server.control("set_vm_memory_high_watermark", "0.9");
      }
      assertThat(given.isOpen()).isTrue();
    }
  }

  /** More than the buffers of a connection hold. */
  private static List<OneFlight> beginLarge(RabbitPublisher publisher, String queue) {
    List<OneFlight> flights = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      Envelope large = TestBroker.message(queue, "key-" + number, new byte[4_000_000]);
      OneFlight flight = new OneFlight(large, DEADLINE);
      flights.add(flight);
      Thread thread =
          new Thread(
              () -> assertThatCode(() -> publisher.publish(flight)).doesNotThrowAnyException());
      thread.setDaemon(true);
      thread.start();
    }
    return flights;
  }

  @Test
  void a_queue_that_is_not_there_is_unavailable() throws Exception {
    RabbitPublisher publisher = publisher();
    requireUnavailable(
        answer(publisher, message("no.such.queue")),
        RabbitErrors.NotNow.class,
        "no queue bound: RabbitMQ cannot route to queue 'no.such.queue' (312 NO_ROUTE)");
    broker.declare("no.such.queue", Map.of());
    requireDelivered(answer(publisher, message("no.such.queue")));
    broker.use(channel -> channel.queueDelete("no.such.queue"));
  }

  /** As where the application looks may be down. */
  @Test
  void a_destination_that_cannot_be_had_now_is_unavailable_and_none_is_rejected() throws Exception {
    IllegalArgumentException down = new IllegalArgumentException("no customers now");
    RabbitPublisher throwing =
        publisher(
            RabbitPublisher.builder(broker.factory())
                .destination(
                    each -> {
                      throw down;
                    }));
    requireUnavailable(
        answer(throwing, message("orders")),
        RabbitErrors.NotNow.class,
        "no destination for a message of topic orders can be had now: " + down);
    RabbitPublisher.Builder none =
        RabbitPublisher.builder(broker.factory()).destination(each -> null);
    String refusal =
        "there is no destination for a message of topic orders; correct the function that destination(..) was given";
    assertThat(answer(publisher(none), message("orders"))).isEqualTo(Ack.rejected(refusal));
    assertThat(none.limits().refusal(message("orders"))).isEqualTo(refusal);
  }

  @Test
  void an_exchange_without_a_binding_is_unavailable() throws Exception {
    String exchange = broker.newExchange(false);
    requireUnavailable(
        answer(
            publisher(RabbitPublisher.builder(broker.factory()).exchange(exchange)),
            message("orders.placed")),
        RabbitErrors.NotNow.class,
        "no queue bound",
        "with routing key 'orders.placed'");
  }

  @Test
  void an_exchange_that_is_not_there_is_unavailable_and_disturbs_no_other() throws Exception {
    String queue = broker.newQueue(Map.of());
    RabbitPublisher publisher =
        publisher(
            RabbitPublisher.builder(broker.behindTheNetwork())
                .destination(
                    envelope ->
                        envelope.topic().equals(queue)
                            ? Destination.queue(queue)
                            : new Destination(envelope.topic(), "")));
    requireDelivered(answer(publisher, message(queue)));
    broker.network.delay(Duration.ofMillis(500));
    OneFlight good = begin(publisher, message(queue));
    requireUnavailable(
        answer(publisher, message("no.such.exchange")),
        ShutdownSignalException.class,
        "404",
        "no exchange 'no.such.exchange'");
    requireDelivered(good.await());
    requireDelivered(answer(publisher, message(queue)));
  }

  @Test
  void an_internal_exchange_is_unavailable() throws Exception {
    String exchange = broker.newExchange(true);
    requireUnavailable(
        answer(
            publisher(RabbitPublisher.builder(broker.factory()).exchange(exchange)),
            message("orders")),
        ShutdownSignalException.class,
        "403",
        "internal exchange");
  }

  private ConnectionFactory app(String password) {
    ConnectionFactory factory = broker.factory();
    factory.setUsername("app");
    factory.setPassword(password);
    return factory;
  }

  @Test
  void an_exchange_without_the_right_to_write_is_unavailable() throws Exception {
    broker.use(channel -> channel.exchangeDeclare("closed.orders", "topic", true));
    requireUnavailable(
        answer(
            publisher(RabbitPublisher.builder(app("secret")).exchange("closed.orders")),
            message("orders")),
        ShutdownSignalException.class,
        "403",
        "closed.orders");
  }

  @Test
  void a_topic_without_the_right_to_write_costs_those_beside_it_nothing_later() throws Exception {
    String exchange = broker.newExchange(false);
    String queue = broker.newQueue(Map.of());
    broker.use(channel -> channel.queueBind(queue, exchange, "#"));
    broker.server.control("set_topic_permissions", "app", exchange, "^open", "");
    RabbitPublisher publisher =
        publisher(RabbitPublisher.builder(app("secret")).exchange(exchange));
    requireRefused(answer(publisher, message("shut.orders")));
    for (int probe = 0; probe < 20; probe++) {
      OneFlight beside = begin(publisher, message("open.orders"));
      requireRefused(answer(publisher, message("shut.orders")));
      requireDelivered(beside.await());
    }
    broker.server.control("clear_topic_permissions", "app", exchange);
    for (int again = 0; again < 2; again++) {
      requireDelivered(answer(publisher, message("shut.orders")));
    }
    assertThat(broker.messages(queue)).hasSize(22);
  }

  private static void requireRefused(Ack ack) {
    requireUnavailable(ack, ShutdownSignalException.class, "403", "topic 'shut.orders'");
  }

  @Test
  void a_login_that_is_refused_is_unavailable_and_one_that_is_right_delivers() throws Exception {
    String queue = broker.newQueue(Map.of());
    requireUnavailable(
        answer(publisher(RabbitPublisher.builder(app("wrong"))), message(queue)),
        AuthenticationFailureException.class);
    requireDelivered(answer(publisher(RabbitPublisher.builder(app("secret"))), message(queue)));
  }

  @Test
  void a_virtual_host_that_is_not_there_is_unavailable() throws Exception {
    ConnectionFactory factory = broker.factory();
    factory.setVirtualHost("nowhere");
    requireUnavailable(
        answer(publisher(RabbitPublisher.builder(factory)), message("orders")), IOException.class);
  }

  private SSLContext trusting() throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    try (InputStream content = Files.newInputStream(broker.server.trustStore())) {
      trusted.load(content, new char[0]);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** As the page shows it. */
  private ConnectionFactory secured(SSLContext context, String password) throws Exception {
    return RabbitPage.secured(
        "amqps://app:%s@127.0.0.1:%d".formatted(password, broker.server.tlsPort()), context);
  }

  @Test
  void tls_with_a_login_delivers_and_another_certificate_or_password_is_unavailable()
      throws Exception {
    String queue = broker.newQueue(Map.of());
    requireDelivered(
        answer(publisher(RabbitPublisher.builder(secured(trusting(), "secret"))), message(queue)));
    requireUnavailable(
        answer(publisher(RabbitPublisher.builder(secured(trusting(), "wrong"))), message(queue)),
        AuthenticationFailureException.class);
    requireUnavailable(
        answer(
            publisher(RabbitPublisher.builder(secured(SSLContext.getDefault(), "secret"))),
            message(queue)),
        SSLHandshakeException.class);
  }

  @Test
  void a_node_without_memory_blocks_and_is_unavailable_at_once() throws Exception {
    String queue = broker.newQueue(Map.of());
    RabbitPublisher publisher = publisher();
    requireDelivered(answer(publisher, message(queue)));
    broker.server.control("set_vm_memory_high_watermark", "0.0000001");
    String reason = "RabbitMQ blocks publishers: low on memory";
    OneFlight first = begin(publisher, message(queue)); // at which the node says that it blocks
    requireUnavailable(first.await(), RabbitErrors.NotNow.class, reason);
    requireUnavailable(answer(publisher, message(queue)), RabbitErrors.NotNow.class, reason);
    broker.server.control("set_vm_memory_high_watermark", "0.9");
    Ack ack = answer(publisher, message(queue));
    for (int turn = 0; turn < 50 && ack instanceof Ack.Unavailable; turn++) {
      Thread.sleep(100);
      ack = answer(publisher, message(queue));
    }
    requireDelivered(ack);
  }

  private static final String BLOCKED = "RabbitMQ blocks publishers: low on memory";

  private ConnectionFactory withSmallBuffer() {
    ConnectionFactory factory = broker.factory();
    factory.setSocketConfigurator(socket -> socket.setSendBufferSize(1 << 16));
    return factory;
  }

  private static Envelope large(String queue) {
    return TestBroker.message(queue, "1", new byte[RabbitServer.MAX_MESSAGE_SIZE]);
  }

  @Test
  void a_write_that_is_stuck_in_a_node_that_blocks_gives_its_thread_back() throws Exception {
    String queue = broker.newQueue(Map.of());
    RabbitPublisher publisher = publisher(RabbitPublisher.builder(withSmallBuffer()));
    requireDelivered(answer(publisher, message(queue)));
    broker.server.control("set_vm_memory_high_watermark", "0.0000001");
    try {
      for (int number = 0; number < 3; number++) {
        OneFlight flight = new OneFlight(large(queue), DEADLINE);
        assertTimeoutPreemptively(Duration.ofSeconds(15), () -> publisher.publish(flight));
        requireUnavailable(flight.await(), RabbitErrors.NotNow.class, BLOCKED);
      }
    } finally {
      broker.server.control("set_vm_memory_high_watermark", "0.9");
    }
    Ack ack = answer(publisher, message(queue));
    for (int turn = 0; turn < 50 && ack instanceof Ack.Unavailable; turn++) {
      Thread.sleep(100);
      ack = answer(publisher, message(queue));
    }
    requireDelivered(ack);
  }

  @Test
  void a_full_queue_that_rejects_is_failed_and_can_be_read_otherwise() throws Exception {
    String queue = broker.newQueue(Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
    RabbitPublisher publisher = publisher();
    requireDelivered(answer(publisher, message(queue)));
    assertThat(answer(publisher, message(queue)))
        .isInstanceOfSatisfying(
            Ack.Failed.class,
            ack ->
                assertThat(ack.cause())
                    .isInstanceOf(NackException.class)
                    .hasMessageContaining(queue));
    Publisher patient = RabbitPage.patient(publisher);
    requireUnavailable(answer(patient, message(queue)), NackException.class);
    requireUnavailable(
        answer(patient, message("no.such.queue")), RabbitErrors.NotNow.class, "no queue bound");
  }

  @Test
  void a_message_above_the_brokers_limit_is_rejected_and_the_limit_is_learnt() throws Exception {
    String queue = broker.newQueue(Map.of());
    RabbitPublisher publisher = publisher(RabbitPublisher.builder(broker.behindTheNetwork()));
    byte[] large = new byte[RabbitServer.MAX_MESSAGE_SIZE + 1];
    requireRejected(
        answer(publisher, TestBroker.message(queue, "1", large)),
        "payload has 4194305 bytes, the limit of RabbitMQ is 4194304");
    requireDelivered(
        answer(publisher, TestBroker.message(queue, "1", new byte[RabbitServer.MAX_MESSAGE_SIZE])));
    broker.network.silence(); // the second is not even sent
    requireRejected(answer(publisher, TestBroker.message(queue, "1", large)), "4194304");
  }

  /** As a restart with another configuration does. */
  @Test
  void a_limit_that_was_raised_holds_from_the_next_connection_on() throws Exception {
    String queue = broker.newQueue(Map.of());
    RabbitPublisher publisher = publisher();
    byte[] large = new byte[RabbitServer.MAX_MESSAGE_SIZE + 1];
    requireRejected(answer(publisher, TestBroker.message(queue, "1", large)), "4194304");
    setLimit(RabbitServer.MAX_MESSAGE_SIZE + 1);
    broker.server.control("close_all_connections", "restart");
    try {
      Ack ack = answer(publisher, TestBroker.message(queue, "1", large));
      for (int turn = 0; turn < 50 && !(ack instanceof Ack.Delivered); turn++) {
        Thread.sleep(100); // until the old connection is lost
        ack = answer(publisher, TestBroker.message(queue, "1", large));
      }
      requireDelivered(ack);
    } finally {
      setLimit(RabbitServer.MAX_MESSAGE_SIZE);
    }
  }

  private void setLimit(int bytes) {
    broker.server.control(
        "eval", "application:set_env(rabbit, max_message_size, %d).".formatted(bytes));
  }

  @Test
  void a_routing_key_above_255_bytes_is_rejected_unsent() throws Exception {
    requireRejected(
        answer(publisher(), message("é".repeat(128))), "routing key '", "has 256 bytes");
  }

  @Test
  void headers_above_the_frame_are_rejected_unsent() throws Exception {
    ConnectionFactory factory = broker.factory();
    factory.setRequestedFrameMax(4096);
    Envelope large = withLongHeader("orders", 4096);
    requireRejected(
        answer(publisher(RabbitPublisher.builder(factory)), large), "frame_max is 4096");
  }

  @Test
  void headers_fit_into_a_frame_that_was_raised_on_both_sides_and_else_are_rejected()
      throws Exception {
    String queue = broker.newQueue(Map.of());
    ConnectionFactory factory = broker.factory();
    factory.setRequestedFrameMax(1 << 20);
    Envelope large = withLongHeader(queue, 200_000);
    requireRejected(
        answer(publisher(RabbitPublisher.builder(factory)), large), "frame", "> 131072");
    broker.server.control("eval", "application:set_env(rabbit, frame_max, 1048576).");
    try {
      requireDelivered(answer(publisher(RabbitPublisher.builder(factory)), large));
    } finally {
      broker.server.control("eval", "application:set_env(rabbit, frame_max, 131072).");
    }
  }

  /** The client counts a message that it refuses, and the broker never sees it. */
  @Test
  void what_waits_behind_a_message_that_the_client_refuses_gets_no_answer_of_another()
      throws Exception {
    String queue = broker.newQueue(Map.of());
    String full = broker.newQueue(Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
    List<OneFlight> behind = new ArrayList<>();
    List<RabbitPublisher> one = new ArrayList<>();
    ConnectionFactory factory = broker.factory();
    factory.setRequestedFrameMax(1 << 20); // the broker has 128 KiB
    Envelope refused = withLongHeader(queue, 200_000);
    factory.setMetricsCollector(
        new NoOpMetricsCollector() {
          @Override
          public void basicPublish(Channel channel) {
            if (channel.getNextPublishSeqNo() == 3) { // behind the second, the next ones come
              for (Envelope next : List.of(refused, message(full), message(queue))) {
                behind.add(new OneFlight(next, DEADLINE));
                assertThatCode(() -> one.get(0).publish(behind.get(behind.size() - 1)))
                    .doesNotThrowAnyException();
              }
            }
          }
        });
    one.add(publisher(RabbitPublisher.builder(factory)));
    requireDelivered(answer(one.get(0), message(full)));
    requireDelivered(answer(one.get(0), message(queue)));
    requireRejected(behind.get(0).await(), "RabbitMQ's client refuses it");
    requireUnavailable(behind.get(1).await(), Exception.class);
    requireUnavailable(behind.get(2).await(), Exception.class);
    requireDelivered(answer(one.get(0), message(queue)));
  }

  /** Its process stops, as that of a queue does whose other copies are gone. */
  @Test
  void a_queue_that_never_confirms_costs_its_channel_and_then_goes_on() throws Exception {
    String queue = broker.newQueue(Map.of());
    RabbitPublisher publisher =
        publishers.of(RabbitPublisher.builder(broker.factory()), Duration.ofSeconds(1));
    requireDelivered(answer(publisher, message(queue)));
    broker.tellQueue(queue, "suspend");
    OneFlight stuck = begin(publisher, message(queue));
    Thread.sleep(2500); // more than twice the deadline
    OneFlight next = begin(publisher, message(queue));
    requireUnavailable(stuck.await(), ShutdownSignalException.class);
    broker.tellQueue(queue, "resume");
    requireDelivered(next.await());
  }

  @Test
  void a_publisher_that_is_closed_is_unavailable() throws Exception {
    String queue = broker.newQueue(Map.of());
    RabbitPublisher publisher = publisher();
    requireDelivered(answer(publisher, message(queue)));
    publisher.close();
    publisher.close();
    requireUnavailable(
        answer(publisher, message(queue)), RabbitErrors.NotNow.class, "this publisher is closed");
  }

  @Test
  void a_connection_that_was_given_works_and_is_left_open() throws Exception {
    String queue = broker.newQueue(Map.of());
    try (Connection given = broker.factory().newConnection()) {
      for (int number = 0; number < 2; number++) {
        try (RabbitPublisher publisher = RabbitPublisher.builder(given).build()) {
          requireDelivered(answer(publisher, message(queue)));
        }
      }
      try (Channel channel = given.createChannel()) {
        assertThat(channel.getChannelNumber()).as("channels were given back").isOne();
      }
    }
    assertThat(broker.messages(queue)).hasSize(2);
  }

  @Test
  void a_connection_that_was_given_and_recovers_itself_is_used_again() throws Exception {
    String queue = broker.newQueue(Map.of());
    ConnectionFactory factory = broker.behindTheNetwork();
    factory.setNetworkRecoveryInterval(200);
    try (Connection given = factory.newConnection();
        RabbitPublisher publisher = RabbitPublisher.builder(given).build()) {
      requireDelivered(answer(publisher, message(queue)));
      broker.network.cut();
      requireUnavailable(answer(publisher, message(queue)), Exception.class);
      broker.network.restore();
      Ack ack = answer(publisher, message(queue));
      for (int turn = 0; turn < 50 && ack instanceof Ack.Unavailable; turn++) {
        Thread.sleep(200);
        ack = answer(publisher, message(queue));
      }
      requireDelivered(ack);
    }
  }
}
