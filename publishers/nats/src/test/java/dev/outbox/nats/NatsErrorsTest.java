package dev.outbox.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.NatsServer;
import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every row of the page's table, provoked on the real server. */
@Tag("proof")
@SuppressWarnings("try") // to be interrupted in close ends the test
class NatsErrorsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final TestBroker broker = TestBroker.get();
  private final List<NatsPublisher> publishers = new ArrayList<>();

  @AfterEach
  void bringUp() {
    broker.network.restore();
    broker.server.restart();
    publishers.forEach(NatsPublisher::close);
  }

  private NatsPublisher publisher(NatsPublisher.Builder builder) {
    NatsPublisher publisher = builder.publishDeadline(DEADLINE).build();
    publishers.add(publisher);
    return publisher;
  }

  private NatsPublisher publisher() {
    return publisher(NatsPublisher.builder(broker.options()));
  }

  private static OneFlight begin(Publisher publisher, Envelope envelope) throws Exception {
    OneFlight flight = new OneFlight(envelope, DEADLINE);
    publisher.publish(flight);
    return flight;
  }

  private static Ack answer(Publisher publisher, Envelope envelope) throws Exception {
    return begin(publisher, envelope).await();
  }

  private static Envelope message(String topic) {
    return TestBroker.message(topic, "42", new byte[10]);
  }

  private static void requireUnavailable(Ack ack, Class<?> cause, String... texts) {
    assertThat(ack).isInstanceOf(Ack.Unavailable.class);
    Throwable thrown = ((Ack.Unavailable) ack).cause();
    assertThat(thrown).isInstanceOf(cause);
    for (String text : texts) {
      assertThat(thrown.toString()).contains(text);
    }
  }

  private static void requireRejected(Ack ack, String... texts) {
    assertThat(ack).isInstanceOf(Ack.Rejected.class);
    assertThat(((Ack.Rejected) ack).reason()).contains(texts);
  }

  private static void requireDelivered(Ack ack) {
    assertThat(ack).isInstanceOf(Ack.Delivered.class);
  }

  @Test
  void a_server_that_is_down_is_unavailable_and_found_again() throws Exception {
    String subject = broker.newSubject();
    NatsPublisher publisher = publisher();
    requireDelivered(answer(publisher, message(subject)));
    broker.server.kill();
    Envelope meanwhile = message(subject);
    requireUnavailable(answer(publisher, meanwhile), Exception.class);
    Thread.sleep(500);
    requireUnavailable(
        answer(publisher, meanwhile), IOException.class, "Unable to connect to NATS server");
    broker.server.restart();
    Ack ack = answer(publisher, message(subject));
    for (int turn = 0; turn < 50 && ack instanceof Ack.Unavailable; turn++) {
      Thread.sleep(100);
      ack = answer(publisher, message(subject));
    }
    requireDelivered(ack);
    assertThat(broker.messages(subject))
        .extracting(each -> TestBroker.received(each).id())
        .as("what was reported as unavailable does not come later")
        .hasSize(2)
        .doesNotContain(meanwhile.id());
  }

  @Test
  void what_has_no_answer_when_the_connection_is_lost_is_unavailable() throws Exception {
    String subject = broker.newSubject();
    NatsPublisher publisher = publisher(NatsPublisher.builder(broker.behindTheNetwork()));
    requireDelivered(answer(publisher, message(subject)));
    broker.network.delay(Duration.ofSeconds(2));
    OneFlight flight = begin(publisher, message(subject));
    broker.network.cut();
    requireUnavailable(
        flight.await(), NatsErrors.NotNow.class, "connection lost before the answer", subject);
  }

  @Test
  void a_silent_network_is_unavailable_within_the_deadline() throws Exception {
    String subject = broker.newSubject();
    NatsPublisher publisher = publisher(NatsPublisher.builder(broker.behindTheNetwork()));
    requireDelivered(answer(publisher, message(subject)));
    broker.network.silence();
    long begun = System.nanoTime();
    requireUnavailable(answer(publisher, message(subject)), NatsErrors.NotNow.class, subject);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(DEADLINE);
  }

  @Test
  void a_network_that_takes_nothing_more_is_unavailable() throws Exception {
    String subject = broker.newSubject();
    Options options = TestBroker.at(broker.network.port()).maxMessagesInOutgoingQueue(2).build();
    NatsPublisher publisher =
        publisher(NatsPublisher.builder(options).maxPayload(NatsServer.MAX_PAYLOAD));
    requireDelivered(answer(publisher, message(subject)));
    broker.network.silence();
    List<OneFlight> flights = new ArrayList<>();
    for (int number = 0; number < 10; number++) {
      flights.add(begin(publisher, TestBroker.message(subject, "1", new byte[4_000_000])));
    }
    List<String> causes = new ArrayList<>();
    for (OneFlight flight : flights) {
      Ack ack = flight.await();
      assertThat(ack).isInstanceOf(Ack.Unavailable.class);
      causes.add(((Ack.Unavailable) ack).cause().toString());
    }
    assertThat(causes).anyMatch(each -> each.contains("NATS cannot be written to"));
  }

  @Test
  void a_subject_without_a_stream_is_unavailable_until_there_is_one() throws Exception {
    NatsPublisher publisher = publisher();
    requireUnavailable(
        answer(publisher, message("no.stream.yet")),
        NatsErrors.NotNow.class,
        "no stream has subject 'no.stream.yet'",
        "503");
    broker.addStream("no.stream.yet", stream -> stream);
    requireDelivered(answer(publisher, message("no.stream.yet")));
    broker.manage(each -> each.deleteStream(TestBroker.streamOf("no.stream.yet")));
  }

  /** As where the application looks may be down. */
  @Test
  void a_subject_that_cannot_be_had_now_is_unavailable_and_none_is_rejected() throws Exception {
    IllegalArgumentException down = new IllegalArgumentException("no customers now");
    NatsPublisher throwing =
        publisher(
            NatsPublisher.builder(broker.options())
                .subject(
                    each -> {
                      throw down;
                    }));
    requireUnavailable(
        answer(throwing, message("orders")),
        NatsErrors.NotNow.class,
        "no subject for a message of topic orders can be had now: " + down);
    NatsPublisher.Builder none = NatsPublisher.builder(broker.options()).subject(each -> null);
    String refusal =
        "there is no subject for a message of topic orders; correct the function that subject(..) was given";
    assertThat(answer(publisher(none), message("orders"))).isEqualTo(Ack.rejected(refusal));
    assertThat(none.limits().refusal(message("orders"))).isEqualTo(refusal);
  }

  private Options app(String password) {
    return login("app", password);
  }

  private Options login(String user, String password) {
    return TestBroker.at(broker.server.port()).userInfo(user, password).build();
  }

  @Test
  void a_login_that_is_refused_is_unavailable_and_one_that_is_right_delivers() throws Exception {
    String subject = broker.newSubject();
    requireUnavailable(
        answer(publisher(NatsPublisher.builder(app("wrong"))), message(subject)),
        AuthenticationException.class);
    requireDelivered(answer(publisher(NatsPublisher.builder(app("secret"))), message(subject)));
  }

  @Test
  void a_subject_without_the_right_to_publish_is_unavailable() throws Exception {
    requireUnavailable(
        answer(publisher(NatsPublisher.builder(app("secret"))), message("closed.orders")),
        NatsErrors.NotNow.class,
        "no answer in time for subject 'closed.orders'",
        "the server said: Permissions Violation for Publish to \"closed.orders\"");
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
  private NatsPublisher secured(SSLContext context, String password) {
    String server = "tls://127.0.0.1:" + broker.server.port();
    return publisher(NatsPublisher.builder(NatsPage.secured(server, context, password)));
  }

  @Test
  void tls_with_a_login_delivers_and_another_certificate_or_password_is_unavailable()
      throws Exception {
    String subject = broker.newSubject();
    requireDelivered(answer(secured(trusting(), "secret"), message(subject)));
    requireUnavailable(
        answer(secured(trusting(), "wrong"), message(subject)), AuthenticationException.class);
    requireUnavailable(
        answer(secured(SSLContext.getDefault(), "secret"), message(subject)), IOException.class);
  }

  @Test
  void a_server_without_room_is_unavailable() throws Exception {
    String subject = broker.newSubject(stream -> stream.storageType(StorageType.Memory));
    NatsPublisher publisher =
        publisher(NatsPublisher.builder(broker.options()).maxPayload(Integer.MAX_VALUE));
    byte[] large = new byte[NatsServer.MAX_PAYLOAD - 1000];
    for (int sent = 0; sent < NatsServer.MAX_MEMORY / NatsServer.MAX_PAYLOAD; sent++) {
      requireDelivered(answer(publisher, TestBroker.message(subject, "42", large)));
    }
    Envelope oneMore = TestBroker.message(subject, "42", large);
    requireUnavailable(
        eventually(publisher, oneMore), JetStreamApiException.class, "insufficient resources");
    broker.manage(each -> each.deleteStream(TestBroker.streamOf(subject)));
  }

  @Test
  void an_account_without_room_is_unavailable() throws Exception {
    Options small = login("small", "secret");
    try (Connection connection = Nats.connect(small)) {
      StreamInfo unused =
          connection
              .jetStreamManagement()
              .addStream(
                  StreamConfiguration.builder()
                      .name("SMALL")
                      .subjects("small")
                      .storageType(StorageType.Memory)
                      .build());
    }
    requireUnavailable(
        eventually(
            publisher(NatsPublisher.builder(small)),
            TestBroker.message("small", "42", new byte[40_000])),
        JetStreamApiException.class,
        "resource limits exceeded for account");
  }

  /** What newer servers say of too many messages, and of a repeat of one that is being stored. */
  @ParameterizedTest
  @CsvSource({"429, 10167, too many requests", "409, 10158, duplicate message id is in process"})
  void an_answer_that_does_not_speak_of_the_message_is_unavailable(
      int code, int number, String text) throws Exception {
    String answer =
        "{\"error\":{\"code\":%d,\"err_code\":%d,\"description\":\"%s\"},\"stream\":\"BUSY\",\"seq\":0}"
            .formatted(code, number, text);
    try (Connection server = Nats.connect(broker.options())) {
      Dispatcher unused =
          server
              .createDispatcher(
                  each ->
                      server.publish(each.getReplyTo(), answer.getBytes(StandardCharsets.UTF_8)))
              .subscribe("busy.orders");
      server.flush(Duration.ofSeconds(5));
      requireUnavailable(
          answer(publisher(), message("busy.orders")), JetStreamApiException.class, text);
    }
  }

  /** What the messages are stored with counts, too: another or two fit. */
  private static Ack eventually(Publisher publisher, Envelope envelope) throws Exception {
    Ack ack = answer(publisher, envelope);
    for (int more = 0; more < 3 && ack instanceof Ack.Delivered; more++) {
      ack =
          answer(publisher, TestBroker.message(envelope.topic(), "42", envelope.payload().bytes()));
    }
    return ack;
  }

  @Test
  void a_stream_that_is_full_is_unavailable() throws Exception {
    String subject =
        broker.newSubject(stream -> stream.maxMessages(1).discardPolicy(DiscardPolicy.New));
    NatsPublisher publisher = publisher();
    requireDelivered(answer(publisher, message(subject)));
    requireUnavailable(
        answer(publisher, message(subject)), JetStreamApiException.class, "maximum messages");
    String small = broker.newSubject(stream -> stream.maxBytes(1).discardPolicy(DiscardPolicy.New));
    requireUnavailable(
        answer(publisher, message(small)), JetStreamApiException.class, "maximum bytes");
  }

  @Test
  void a_stream_that_is_sealed_is_unavailable() throws Exception {
    String subject = broker.newSubject();
    broker.change(subject, stream -> stream.seal());
    requireUnavailable(
        answer(publisher(), message(subject)), JetStreamApiException.class, "sealed");
  }

  @Test
  void a_message_above_the_streams_limit_is_rejected() throws Exception {
    String subject = broker.newSubject(stream -> stream.maximumMessageSize(5));
    requireRejected(answer(publisher(), message(subject)), "message size exceeds maximum allowed");
  }

  @Test
  void a_message_above_the_servers_limit_is_rejected_whatever_was_configured() throws Exception {
    String subject = broker.newSubject();
    NatsPublisher publisher =
        publisher(NatsPublisher.builder(broker.options()).maxPayload(Integer.MAX_VALUE));
    requireDelivered(answer(publisher, message(subject)));
    requireRejected(
        answer(publisher, TestBroker.message(subject, "1", new byte[NatsServer.MAX_PAYLOAD])),
        "payload size exceed");
    requireDelivered(answer(publisher, message(subject)));
  }

  @Test
  void headers_that_a_stream_cannot_hold_are_rejected_unsent() throws Exception {
    String subject = broker.newSubject();
    requireRejected(
        answer(publisher(), withHeader(subject, "x".repeat(65_535))), "JetStream takes 65535");
    Envelope fits = withHeader(subject, "x".repeat(65_000));
    requireDelivered(answer(publisher(), fits));
  }

  private static Envelope withHeader(String subject, String value) {
    return new Envelope(
        message(subject).id(),
        subject,
        null,
        Map.of("long", value),
        message(subject).payload(),
        null);
  }

  @Test
  void a_subject_that_can_be_none_is_rejected_unsent() throws Exception {
    requireRejected(answer(publisher(), message("an order")), "subject is 'an order'");
    requireRejected(answer(publisher(), message("$JS.API.INFO")), "begins with $");
  }

  @Test
  void a_subject_of_other_letters_arrives() throws Exception {
    String subject = "заказы.木";
    broker.addStream(subject, stream -> stream);
    requireDelivered(answer(publisher(), message(subject)));
    assertThat(broker.messages(subject)).hasSize(1);
    broker.manage(each -> each.deleteStream(TestBroker.streamOf(subject)));
  }

  @Test
  void a_repeat_is_dropped_also_by_a_server_that_was_killed_in_between() throws Exception {
    String subject = broker.newSubject();
    Envelope envelope = message(subject);
    requireDelivered(answer(publisher(), envelope));
    requireDelivered(answer(publisher(), envelope));
    broker.server.kill();
    broker.server.restart();
    requireDelivered(answer(publisher(), envelope));
    assertThat(broker.messages(subject)).hasSize(1);
  }

  @Test
  void a_publisher_that_is_closed_is_unavailable() throws Exception {
    String subject = broker.newSubject();
    NatsPublisher publisher = publisher();
    requireDelivered(answer(publisher, message(subject)));
    publisher.close();
    publisher.close();
    requireUnavailable(
        answer(publisher, message(subject)), NatsErrors.NotNow.class, "this publisher is closed");
  }

  private static Options reconnecting(int port, UnaryOperator<Options.Builder> settings) {
    return settings
        .apply(TestBroker.at(port).reconnectBufferSize(0).reconnectWait(Duration.ofMillis(200)))
        .requestCleanupInterval(Duration.ofSeconds(2))
        .build();
  }

  @Test
  void a_connection_that_was_given_reconnects_and_is_left_open() throws Exception {
    String subject = broker.newSubject();
    try (Connection given =
        Nats.connect(reconnecting(broker.network.port(), each -> each.maxReconnects(-1)))) {
      NatsPublisher publisher = publisher(NatsPublisher.builder(given));
      requireDelivered(answer(publisher, message(subject)));
      broker.network.cut();
      Ack ack = answer(publisher, message(subject));
      assertThat(ack).isInstanceOf(Ack.Unavailable.class);
      broker.network.restore();
      for (int turn = 0; turn < 50 && ack instanceof Ack.Unavailable; turn++) {
        Thread.sleep(200);
        ack = answer(publisher, message(subject));
      }
      requireDelivered(ack);
      publisher.close();
      assertThat(given.getStatus()).isEqualTo(Connection.Status.CONNECTED);
      requireUnavailable(
          answer(publisher, message(subject)), NatsErrors.NotNow.class, "this publisher is closed");
    }
  }

  @Test
  void a_connection_that_keeps_what_it_could_not_send_is_refused() throws Exception {
    try (Connection given = Nats.connect(broker.options())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> NatsPublisher.builder(given).build())
          .withMessageContaining("reconnectBufferSize is 8388608, but")
          .withMessageContaining("set reconnectBufferSize(0)");
    }
    try (Connection given = Nats.connect(reconnecting(broker.server.port(), each -> each))) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> NatsPublisher.builder(given).publishDeadline(Duration.ofSeconds(4)).build())
          .withMessageContaining("requestCleanupInterval is PT2S, but");
    }
  }
}
