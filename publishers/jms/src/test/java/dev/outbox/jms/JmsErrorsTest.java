package dev.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.CloudEvents;
import dev.outbox.publish.Publisher;
import jakarta.jms.Connection;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every row of the page's table, provoked on the real broker. */
@Tag("proof")
class JmsErrorsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(6);

  /** As long as that of a publisher that was told none. */
  private static final Duration LONG = Duration.ofSeconds(30);

  private final TestBroker broker = TestBroker.get();
  @TempDir private Path folder;
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void bringUp() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    broker.network.restore();
    broker.server.restart();
  }

  private JmsPublisher.Builder builder(String url) {
    ActiveMQConnectionFactory factory =
        new ActiveMQConnectionFactory(url + "confirmationWindowSize=1048576&callTimeout=1000");
    open.add(factory);
    return JmsPublisher.builder(factory);
  }

  private JmsPublisher.Builder builder() {
    return builder("tcp://127.0.0.1:%d?".formatted(broker.server.port()));
  }

  private JmsPublisher publisher(JmsPublisher.Builder builder) {
    return publisher(builder, DEADLINE);
  }

  private JmsPublisher publisher(JmsPublisher.Builder builder, Duration publishDeadline) {
    JmsPublisher publisher = builder.publishDeadline(publishDeadline).build();
    open.add(0, publisher);
    return publisher;
  }

  private static Ack answer(Publisher publisher, Envelope envelope) throws Exception {
    return answer(publisher, envelope, DEADLINE);
  }

  private static Ack answer(Publisher publisher, Envelope envelope, Duration deadline)
      throws Exception {
    OneFlight flight = new OneFlight(envelope, deadline);
    publisher.publish(flight);
    return flight.await();
  }

  private static Envelope message(String topic) {
    return TestBroker.message(topic, "42", new byte[10]);
  }

  private static void requireUnavailable(Ack ack, Class<?> type, String... texts) {
    assertThat(ack).isInstanceOf(Ack.Unavailable.class);
    Throwable thrown = ((Ack.Unavailable) ack).cause();
    assertThat(thrown).isInstanceOf(type);
    for (String text : texts) {
      assertThat(thrown).hasMessageContaining(text);
    }
  }

  private static void requireDelivered(Ack ack) {
    assertThat(ack).isInstanceOf(Ack.Delivered.class);
  }

  @Test
  void a_broker_that_is_down_is_unavailable_and_found_again() throws Exception {
    String queue = TestBroker.newQueue();
    JmsPublisher publisher = publisher(builder());
    requireDelivered(answer(publisher, message(queue)));
    broker.server.kill();
    requireUnavailable(answer(publisher, message(queue)), Exception.class);
    requireUnavailable(
        eventually(publisher, message(queue), JmsErrorsTest::isNotConnected),
        JmsErrors.NotNow.class,
        "cannot connect",
        "Cannot connect");
    broker.server.restart();
    requireDelivered(eventually(publisher, message(queue)));
    assertThat(broker.received(queue)).hasSize(2);
  }

  private static boolean isNotConnected(Ack ack) {
    return ((Ack.Unavailable) ack).cause() instanceof JmsErrors.NotNow;
  }

  private static Ack eventually(Publisher publisher, Envelope envelope) throws Exception {
    return eventually(publisher, envelope, Ack.Delivered.class::isInstance);
  }

  private static Ack eventually(Publisher publisher, Envelope envelope, Predicate<Ack> wanted)
      throws Exception {
    Ack ack = answer(publisher, envelope);
    for (int tries = 0; tries < 50 && !wanted.test(ack); tries++) {
      Thread.sleep(100); // as a breaker rests
      ack = answer(publisher, envelope);
    }
    return ack;
  }

  @Test
  void a_network_that_is_silent_is_unavailable_when_the_patience_is_over() throws Exception {
    String queue = TestBroker.newQueue();
    JmsPublisher publisher =
        publisher(builder("tcp://127.0.0.1:%d?".formatted(broker.network.port())));
    requireDelivered(answer(publisher, message(queue)));
    broker.network.silence();
    requireUnavailable(answer(publisher, message(queue)), TimeoutException.class);
    broker.network.reset();
    broker.network.restore();
    requireDelivered(eventually(publisher, message(queue)));
  }

  @Test
  void a_repeat_is_dropped_by_the_broker() throws Exception {
    String queue = TestBroker.newQueue();
    JmsPublisher publisher = publisher(builder());
    Envelope twice = message(queue);
    requireDelivered(answer(publisher, twice));
    requireDelivered(answer(publisher, twice));
    assertThat(broker.received(queue)).hasSize(1);
    assertThat(publisher.brokerGuarantees().dedupeCount()).isEqualTo(20_000);
  }

  @Test
  void a_queue_or_topic_that_is_not_there_is_unavailable() throws Exception {
    JmsPublisher publisher = publisher(builder());
    requireUnavailable(
        answer(publisher, message("nowhere")), JmsErrors.NoDestination.class, "no queue 'nowhere'");
    JmsPublisher topics =
        publisher(builder().destination(each -> JmsDestination.topic(each.topic())));
    requireUnavailable(
        answer(topics, message("nowhere")), JmsErrors.NoDestination.class, "no topic 'nowhere'");
    requireDelivered(answer(topics, message("orders.topic")));
    requireDelivered(answer(publisher, message(TestBroker.newQueue())));
  }

  @Test
  void an_address_that_is_full_is_unavailable() throws Exception {
    JmsPublisher publisher = publisher(builder());
    requireDelivered(answer(publisher, message("full.queue")));
    requireUnavailable(answer(publisher, message("full.queue")), JMSException.class, "is full");
  }

  /** The client waits in the send, on the one thread that may use the session. */
  @Test
  void an_address_that_blocks_when_it_is_full_is_unavailable_and_disturbs_no_other()
      throws Exception {
    JmsPublisher publisher = publisher(builder());
    Ack ack = answer(publisher, message("blocked.queue"));
    for (int tries = 0; tries < 5 && ack instanceof Ack.Delivered; tries++) {
      ack = answer(publisher, TestBroker.message("blocked.queue", "42", new byte[100_000]));
    }
    requireUnavailable(ack, TimeoutException.class, "topic blocked.queue", "is full and blocks");
    requireDelivered(eventually(publisher, message(TestBroker.newQueue())));
  }

  @Test
  void a_login_that_is_refused_is_unavailable() throws Exception {
    requireUnavailable(
        answer(publisher(builder().login("app", "wrong")), message("orders")),
        JmsErrors.NotNow.class,
        "Unable to validate user");
  }

  @Test
  void a_user_without_the_right_is_unavailable_and_one_with_it_is_delivered() throws Exception {
    requireUnavailable(
        answer(publisher(builder(), LONG), message("forbidden"), LONG),
        JMSSecurityException.class,
        "SEND");
    JmsPublisher allowed = publisher(builder().login("app", "secret"), LONG);
    requireDelivered(answer(allowed, message("forbidden"), LONG));
  }

  @Test
  void a_certificate_is_trusted_or_unavailable() throws Exception {
    String tls = "tcp://localhost:%d?sslEnabled=true&".formatted(broker.server.tlsPort());
    requireUnavailable(
        answer(publisher(builder(tls)), message("orders")),
        JmsErrors.NotNow.class,
        "cannot connect");
    String trusting =
        tls
            + "trustStorePath=%s&trustStoreType=PKCS12&trustStorePassword=secret&"
                .formatted(trusted());
    requireDelivered(answer(publisher(builder(trusting)), message(TestBroker.newQueue())));
  }

  @Test
  void tls_with_a_login_delivers_and_another_password_is_unavailable() throws Exception {
    String queue = TestBroker.newQueue();
    requireDelivered(answer(secured("secret"), message(queue), LONG));
    requireUnavailable(
        answer(secured("wrong"), message(queue), LONG),
        JmsErrors.NotNow.class,
        "Unable to validate user");
    assertThat(broker.received(queue)).hasSize(1);
  }

  /** As the page shows it. */
  private JmsPublisher secured(String password) throws Exception {
    JmsPublisher publisher =
        JmsPage.secured("localhost:" + broker.server.tlsPort(), trusted(), password);
    open.add(0, publisher);
    return publisher;
  }

  /** Artemis reads no store without a password. */
  private Path trusted() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream content = Files.newInputStream(broker.server.trustStore())) {
      store.load(content, new char[0]);
    }
    Path file = folder.resolve("trust.p12");
    try (OutputStream content = Files.newOutputStream(file)) {
      store.store(content, "secret".toCharArray());
    }
    return file;
  }

  @Test
  void what_JMS_does_not_hold_is_rejected() throws Exception {
    JmsPublisher publisher = publisher(builder().maxMessageSize(9));
    assertThat(answer(publisher, message("orders")))
        .isEqualTo(
            Ack.rejected(
                "payload has 10 bytes, maxMessageSize is 9; raise it if the broker takes more, make the payload smaller, or put it into a store of your own and send its address"));
    JmsPublisher events =
        publisher(builder().cloudEvents(CloudEvents.structured(URI.create("/shop"))));
    Envelope odd = JmsMappingTest.envelope("orders", Map.of(), "application/json", "no JSON");
    assertThat(answer(events, odd))
        .isInstanceOfSatisfying(
            Ack.Rejected.class, ack -> assertThat(ack.reason()).contains("is not JSON"));
  }

  /** As where the application looks may be down. */
  @Test
  void a_destination_that_cannot_be_had_now_is_unavailable_and_none_is_rejected() throws Exception {
    List<RuntimeException> causes =
        List.of(new IllegalStateException("no route"), new IllegalArgumentException("no tenant"));
    for (RuntimeException cause : causes) {
      JmsPublisher publisher =
          publisher(
              JmsPublisher.builder(new OtherFactory())
                  .destination(
                      envelope -> {
                        throw cause;
                      }));
      requireUnavailable(
          answer(publisher, message("orders")),
          JmsErrors.NotNow.class,
          "no destination for a message of topic orders can be had now: " + cause);
    }
    JmsPublisher nowhere =
        publisher(JmsPublisher.builder(new OtherFactory()).destination(envelope -> null));
    assertThat(answer(nowhere, message("orders")))
        .isEqualTo(
            Ack.rejected(
                "there is no destination for a message of topic orders; correct the function that destination(..) was given"));
  }

  /** As the last callbacks of the client do. */
  @Test
  void what_is_heard_late_of_a_connection_does_not_hide_that_the_next_is_lost() throws Exception {
    List<Connection> made = new ArrayList<>();
    ActiveMQConnectionFactory factory = broker.factory();
    open.add(factory);
    JmsLink.Source source =
        () -> {
          made.add(factory.createConnection());
          return made.get(made.size() - 1);
        };
    JmsLimits limits = new JmsLimits(JmsMapping.PLAIN, Integer.MAX_VALUE);
    try (JmsSender sender = new JmsSender(source, limits, DEADLINE)) {
      Envelope envelope = message(TestBroker.newQueue());
      sender.send(envelope).toCompletableFuture().get(10, TimeUnit.SECONDS);
      ExceptionListener first = made.get(0).getExceptionListener();
      first.onException(new JMSException("lost"));
      sender.send(envelope).toCompletableFuture().get(10, TimeUnit.SECONDS);
      made.get(1).getExceptionListener().onException(new JMSException("lost"));
      first.onException(new JMSException("heard late"));
      sender.send(envelope).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
    assertThat(made).hasSize(3);
  }

  @Test
  void a_publisher_that_is_closed_is_unavailable() throws Exception {
    JmsPublisher publisher = publisher(builder());
    requireDelivered(answer(publisher, message(TestBroker.newQueue())));
    publisher.close();
    requireUnavailable(answer(publisher, message("orders")), JmsErrors.NotNow.class, "is closed");
  }

  @Test
  void a_factory_that_confirms_what_is_not_stored_or_delivers_late_is_refused() {
    try (ActiveMQConnectionFactory blind = new ActiveMQConnectionFactory("tcp://localhost:1");
        ActiveMQConnectionFactory slow =
            new ActiveMQConnectionFactory("tcp://localhost:1?confirmationWindowSize=1048576");
        ActiveMQConnectionFactory late =
            new ActiveMQConnectionFactory(
                "tcp://localhost:1?confirmationWindowSize=1048576&reconnectAttempts=-1");
        ActiveMQConnectionFactory endless =
            new ActiveMQConnectionFactory(
                "tcp://localhost:1?confirmationWindowSize=1048576&initialConnectAttempts=-1")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> JmsPublisher.create(endless))
          .withMessageStartingWith("initialConnectAttempts is -1, but the client would wait");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> JmsPublisher.create(blind))
          .withMessageStartingWith("confirmationWindowSize is -1, but without it");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> JmsPublisher.create(slow))
          .withMessageStartingWith("callTimeout is 30000, but a lost connection")
          .withMessageEndingWith("add callTimeout=5000 to the URL");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> JmsPublisher.create(late))
          .withMessageStartingWith("reconnectAttempts is -1, but the client would deliver later");
    }
  }
}
