package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.KafkaServer;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nearly every row of the page's table, provoked on the real broker. */
@Tag("proof")
class KafkaErrorsTest {
  private final TestBroker broker = TestBroker.get();
  private final AtomicReference<Throwable> thrown = new AtomicReference<>();

  @AfterEach
  void bringUp() {
    broker.network.restore();
    broker.server.restart();
  }

  private Map<String, Object> config(String bootstrap) {
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", bootstrap);
    config.put("delivery.timeout.ms", 4000);
    config.put("request.timeout.ms", 1500);
    config.put("max.block.ms", 2000);
    return config;
  }

  private Ack answer(Envelope envelope) throws Exception {
    return answer(config(broker.server.bootstrapServers()), envelope);
  }

  /** The answer of the publisher, and in {@link #thrown} what the producer has thrown. */
  private Ack answer(Map<String, Object> config, Envelope envelope) throws Exception {
    try (KafkaPublisher publisher = KafkaPublisher.create(config)) {
      return answer(publisher, envelope);
    }
  }

  private Ack answer(Publisher publisher, Envelope envelope) throws Exception {
    ManyFlight flight = new ManyFlight(List.of(envelope), Duration.ofSeconds(30));
    publisher.publish(flight);
    Ack ack = flight.await().get(0);
    if (ack instanceof Ack.Unavailable unavailable) {
      thrown.set(unavailable.cause());
    }
    return ack;
  }

  /** A busy machine takes seconds for a handshake, and a broker to hear of a login. */
  private Ack patientAnswer(Publisher publisher, Envelope envelope) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    Ack ack = answer(publisher, envelope);
    while (ack instanceof Ack.Unavailable && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(20);
      ack = answer(publisher, envelope);
    }
    return ack;
  }

  private static Envelope message(String topic) {
    return KafkaEnvironment.message(topic, "42", new byte[10]);
  }

  @Test
  void a_broker_that_is_down_is_unavailable() throws Exception {
    String topic = broker.newTopic(Map.of());
    Map<String, Object> config = config(broker.server.bootstrapServers());
    try (KafkaPublisher publisher = KafkaPublisher.create(config)) {
      assertThat(answer(publisher, message(topic))).isInstanceOf(Ack.Delivered.class);
      broker.server.kill();
      assertThat(answer(publisher, message(topic))).isInstanceOf(Ack.Unavailable.class);
      assertThat(thrown.get()).isExactlyInstanceOf(TimeoutException.class);
      broker.server.restart();
      assertThat(answer(publisher, message(topic))).isInstanceOf(Ack.Delivered.class);
    }
  }

  @Test
  void a_broker_that_was_never_reached_is_unavailable_and_only_the_first_waits() throws Exception {
    broker.server.kill();
    try (KafkaPublisher publisher =
        KafkaPublisher.create(config(broker.server.bootstrapServers()))) {
      assertThat(answer(publisher, message("orders"))).isInstanceOf(Ack.Unavailable.class);
      assertThat(thrown.get()).isExactlyInstanceOf(TimeoutException.class);
      long begun = System.nanoTime();
      assertThat(answer(publisher, message("orders"))).isInstanceOf(Ack.Unavailable.class);
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
    }
  }

  @Test
  void a_topic_that_is_not_there_is_unavailable() throws Exception {
    assertThat(answer(message("no.such.topic"))).isInstanceOf(Ack.Unavailable.class);
    assertThat(thrown.get())
        .isExactlyInstanceOf(TimeoutException.class)
        .hasMessageContaining("no.such.topic");
  }

  @Test
  void a_topic_that_is_not_there_holds_up_no_other_however_short_a_send_may_wait()
      throws Exception {
    List<Envelope> envelopes = new ArrayList<>();
    for (int number = 0; number < 60; number++) {
      envelopes.add(KafkaEnvironment.message("no.such.topic", "k" + number, new byte[10]));
    }
    envelopes.add(message(broker.newTopic(Map.of())));
    Map<String, Object> config = config(broker.server.bootstrapServers());
    config.put("max.block.ms", 500);
    try (KafkaPublisher publisher = KafkaPublisher.create(config)) {
      ManyFlight flight = new ManyFlight(envelopes, Duration.ofSeconds(30));
      publisher.publish(flight);
      assertThat(flight.await()).last().isInstanceOf(Ack.Delivered.class);
    }
  }

  /** The producer tries again and in the end tells its time-out; the code has the same answer. */
  @Test
  void too_few_replicas_are_unavailable_until_there_are_enough() throws Exception {
    try (KafkaServer another = broker.server.startAnother()) {
      String topic = broker.newTopic(Map.of("min.insync.replicas", "2"), 2);
      assertThat(answer(message(topic))).isInstanceOf(Ack.Delivered.class);
      another.stop();
      assertThat(answer(message(topic))).isInstanceOf(Ack.Unavailable.class);
      assertThat(thrown.get())
          .isInstanceOfAny(TimeoutException.class, NotEnoughReplicasException.class);
      another.restart();
      Ack ack = answer(message(topic));
      for (int tries = 0; tries < 10 && ack instanceof Ack.Unavailable; tries++) {
        ack = answer(message(topic));
      }
      assertThat(ack).isInstanceOf(Ack.Delivered.class);
      broker.deleteTopic(topic);
    }
    // or the next topic would be laid on the broker that has gone
    while (broker.admin().describeCluster().nodes().get().size() > 1) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    assertThat(KafkaErrors.read(new NotEnoughReplicasException("1 of 2")))
        .isInstanceOf(Ack.Unavailable.class);
  }

  @Test
  void a_topic_without_the_right_to_write_is_unavailable() throws Exception {
    String topic = broker.newTopic(Map.of());
    broker
        .admin()
        .createAcls(
            List.of(
                new AclBinding(
                    new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                    new AccessControlEntry(
                        "User:*", "*", AclOperation.WRITE, AclPermissionType.DENY))))
        .all()
        .get();
    assertThat(answer(message(topic))).isInstanceOf(Ack.Unavailable.class);
    assertThat(thrown.get()).isInstanceOf(TopicAuthorizationException.class);
  }

  private Map<String, Object> login(String password) {
    Map<String, Object> config = config(broker.server.withPassword());
    config.put("security.protocol", "SASL_PLAINTEXT");
    config.put("sasl.mechanism", "PLAIN");
    config.put(
        "sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"app\" password=\"%s\";"
            .formatted(password));
    return config;
  }

  @Test
  void a_login_that_is_refused_is_unavailable_and_one_that_is_right_delivers() throws Exception {
    String topic = broker.newTopic(Map.of());
    assertThat(answer(login("wrong"), message(topic))).isInstanceOf(Ack.Unavailable.class);
    assertThat(thrown.get()).isInstanceOf(SaslAuthenticationException.class);
    assertThat(answer(login("secret"), message(topic))).isInstanceOf(Ack.Delivered.class);
  }

  /** As the page shows it. */
  private Map<String, Object> secured(Path certificate, String password) {
    Map<String, Object> config = config("");
    config.putAll(KafkaPage.secured(broker.server.withPasswordAndTls(), certificate, password));
    return config;
  }

  @Test
  void tls_with_a_login_delivers_and_another_certificate_or_password_is_unavailable(
      @TempDir Path folder) throws Exception {
    String topic = broker.newTopic(Map.of());
    Path certificate = broker.server.certificate();
    try (KafkaPublisher publisher = KafkaPublisher.create(secured(certificate, "secret"))) {
      assertThat(patientAnswer(publisher, message(topic))).isInstanceOf(Ack.Delivered.class);
    }
    assertThat(answer(secured(certificate, "wrong"), message(topic)))
        .isInstanceOf(Ack.Unavailable.class);
    assertThat(thrown.get()).isInstanceOf(SaslAuthenticationException.class);
    Path another = KafkaServer.otherCertificate(folder);
    assertThat(answer(secured(another, "secret"), message(topic)))
        .isInstanceOf(Ack.Unavailable.class);
    assertThat(thrown.get()).isInstanceOf(SslAuthenticationException.class);
    assertThat(broker.records(topic)).hasSize(1);
  }

  @Test
  void a_login_that_is_refused_at_first_delivers_once_it_is_taken(@TempDir Path folder)
      throws Exception {
    String topic = broker.newTopic(Map.of());
    Map<String, Object> config = secured(broker.server.certificate(), "secret");
    config.put(
        "sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"late\" password=\"secret\";");
    try (KafkaPublisher publisher = KafkaPublisher.create(config)) {
      assertThat(answer(publisher, message(topic))).isInstanceOf(Ack.Unavailable.class);
      assertThat(thrown.get()).isInstanceOf(SaslAuthenticationException.class);
      broker
          .admin()
          .alterUserScramCredentials(
              List.of(
                  new UserScramCredentialUpsertion(
                      "late",
                      new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096),
                      "secret")))
          .all()
          .get();
      assertThat(patientAnswer(publisher, message(topic))).isInstanceOf(Ack.Delivered.class);
    }
  }

  /** After an answer that it does not know, which no broker can be made to give. */
  @Test
  void a_producer_in_its_error_state_is_unavailable_and_another_takes_its_place() throws Exception {
    String topic = broker.newTopic(Map.of());
    List<Producer<byte[], byte[]>> made = new ArrayList<>();
    ProducerLink.Source source =
        () -> {
          made.add(producer());
          return made.get(made.size() - 1);
        };
    RecordLimits limits = new RecordLimits(RecordMapping.PLAIN, RecordLimits.DEFAULT_REQUEST);
    try (KafkaSender sender = KafkaSender.own(source, limits, Duration.ofSeconds(5))) {
      sender.send(message(topic)).toCompletableFuture().get(10, TimeUnit.SECONDS);
      putIntoErrorState(made.get(0));
      assertThatExceptionOfType(KafkaException.class)
          .isThrownBy(() -> sender.send(message(topic)))
          .satisfies(e -> assertThat(KafkaErrors.read(e)).isInstanceOf(Ack.Unavailable.class));
      sender.send(message(topic)).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
    assertThat(made).hasSize(2);
    assertThat(broker.records(topic)).hasSize(2);
  }

  private static void putIntoErrorState(Producer<byte[], byte[]> producer) throws Exception {
    Field field = KafkaProducer.class.getDeclaredField("transactionManager");
    field.setAccessible(true);
    Object manager = field.get(producer);
    Method fatal =
        manager.getClass().getDeclaredMethod("transitionToFatalError", RuntimeException.class);
    fatal.setAccessible(true);
    fatal.invoke(manager, new KafkaException("Unexpected error in InitProducerIdResponse"));
  }

  @Test
  void a_producer_that_is_closed_is_unavailable() throws Exception {
    KafkaPublisher publisher = KafkaPublisher.create(config(broker.server.bootstrapServers()));
    publisher.close();
    publisher.close();
    assertThat(answer(publisher, message("orders"))).isInstanceOf(Ack.Unavailable.class);
    assertThat(thrown.get()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_record_above_the_topics_limit_is_rejected() throws Exception {
    String topic = broker.newTopic(Map.of("max.message.bytes", "1000"));
    assertThat(answer(KafkaEnvironment.message(topic, "42", new byte[2000])))
        .isInstanceOfSatisfying(
            Ack.Rejected.class,
            ack -> assertThat(ack.reason()).startsWith("RecordTooLargeException: "));
  }

  @Test
  void a_record_above_the_producers_limit_is_rejected() throws Exception {
    assertThat(answer(KafkaEnvironment.message("orders", "42", new byte[1024 * 1024])))
        .isInstanceOfSatisfying(
            Ack.Rejected.class,
            ack -> assertThat(ack.reason()).contains("max.request.size is 1048576"));
    String topic = broker.newTopic(Map.of());
    try (Producer<byte[], byte[]> given = producer()) {
      Publisher publisher = KafkaPublisher.builder(given).build();
      assertThat(answer(publisher, KafkaEnvironment.message(topic, "1", new byte[1 << 21])))
          .isInstanceOfSatisfying(
              Ack.Rejected.class,
              ack -> assertThat(ack.reason()).startsWith("RecordTooLargeException: "));
    }
  }

  private Producer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        config(broker.server.bootstrapServers()),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  @Test
  void a_producer_that_was_given_works_and_is_left_open() throws Exception {
    String topic = broker.newTopic(Map.of());
    try (Producer<byte[], byte[]> given = producer()) {
      for (int number = 0; number < 2; number++) {
        try (KafkaPublisher publisher = KafkaPublisher.builder(given).build()) {
          assertThat(answer(publisher, message(topic))).isInstanceOf(Ack.Delivered.class);
        }
      }
      assertThat(given.partitionsFor(topic)).isNotEmpty();
    }
    assertThat(broker.records(topic)).hasSize(2);
  }

  @Test
  void a_name_that_no_topic_can_have_is_rejected_unsent() throws Exception {
    assertThat(answer(message("orders/placed")))
        .isInstanceOfSatisfying(
            Ack.Rejected.class,
            ack -> assertThat(ack.reason()).startsWith("topic is 'orders/placed', Kafka takes"));
    assertThat(KafkaErrors.read(new InvalidTopicException("orders/placed")))
        .isEqualTo(Ack.rejected("InvalidTopicException: orders/placed"));
  }

  /** As where the application looks may be down. */
  @Test
  void a_topic_that_cannot_be_had_now_is_unavailable_and_none_is_rejected() throws Exception {
    IllegalArgumentException down = new IllegalArgumentException("no customers now");
    KafkaPublisher.Builder throwing =
        KafkaPublisher.builder(config(broker.server.bootstrapServers()))
            .topic(
                each -> {
                  throw down;
                });
    try (KafkaPublisher publisher = throwing.build()) {
      assertThat(answer(publisher, message("orders"))).isInstanceOf(Ack.Unavailable.class);
      assertThat(thrown.get())
          .hasMessage("no topic in Kafka for a message of topic orders can be had now: " + down);
    }
    KafkaPublisher.Builder none =
        KafkaPublisher.builder(config(broker.server.bootstrapServers())).topic(each -> null);
    String refusal =
        "there is no topic in Kafka for a message of topic orders; correct the function that topic(..) was given";
    try (KafkaPublisher publisher = none.build()) {
      assertThat(answer(publisher, message("orders"))).isEqualTo(Ack.rejected(refusal));
    }
    assertThat(none.limits().refusal(message("orders"))).isEqualTo(refusal);
  }

  @Test
  void a_message_without_a_key_to_a_compacted_topic_is_rejected() throws Exception {
    String topic = broker.newTopic(Map.of("cleanup.policy", "compact"));
    assertThat(answer(KafkaEnvironment.message(topic, null, new byte[10])))
        .isInstanceOfSatisfying(
            Ack.Rejected.class,
            ack -> assertThat(ack.reason()).startsWith("InvalidRecordException: "));
    assertThat(answer(message(topic))).isInstanceOf(Ack.Delivered.class);
  }

  /** The broker refuses a whole batch for one record of it. */
  @Test
  void a_message_that_is_refused_costs_its_neighbours_no_attempt() throws Exception {
    String topic = broker.newTopic(Map.of("cleanup.policy", "compact"));
    List<Envelope> all = new ArrayList<>();
    for (int number = 0; number < 500; number++) {
      String key = number % 50 == 7 ? null : "key-" + number;
      all.add(KafkaEnvironment.message(topic, key, new byte[10]));
    }
    try (KafkaPublisher publisher =
        KafkaPublisher.create(config(broker.server.bootstrapServers()))) {
      ManyFlight flight = new ManyFlight(all, Duration.ofSeconds(30));
      publisher.publish(flight);
      List<Ack> acks = flight.await();
      assertThat(acks).anyMatch(Ack.NotSent.class::isInstance);
      for (int place = 0; place < acks.size(); place++) {
        Class<?>[] fitting =
            all.get(place).key() == null
                ? new Class<?>[] {Ack.Rejected.class}
                : new Class<?>[] {Ack.Delivered.class, Ack.NotSent.class};
        assertThat(acks.get(place)).isInstanceOfAny(fitting);
      }
    }
  }

  @Test
  void a_message_older_than_the_topic_takes_is_rejected() throws Exception {
    String topic = broker.newTopic(Map.of("message.timestamp.before.max.ms", "1"));
    Envelope old = message(topic);
    Thread.sleep(50); // until it is older than a millisecond
    assertThat(answer(old))
        .isInstanceOfSatisfying(
            Ack.Rejected.class,
            ack -> assertThat(ack.reason()).startsWith("InvalidTimestampException: "));
  }

  /** By several in one batch, of which the producer says otherwise than of one. */
  @Test
  void a_message_ahead_of_the_brokers_clock_is_tried_again() throws Exception {
    String topic = broker.newTopic(Map.of());
    List<Envelope> ahead = new ArrayList<>();
    for (int number = 0; number < 20; number++) {
      ahead.add(inTwoHours(KafkaEnvironment.message(topic, "k" + number, new byte[10])));
    }
    try (KafkaPublisher publisher =
        KafkaPublisher.create(config(broker.server.bootstrapServers()))) {
      ManyFlight flight = new ManyFlight(ahead, Duration.ofSeconds(30));
      publisher.publish(flight);
      assertThat(flight.await()).hasOnlyElementsOfType(Ack.Failed.class);
      assertThat(answer(publisher, ahead.get(0))).isInstanceOf(Ack.Failed.class);
    }
  }

  private static Envelope inTwoHours(Envelope plain) {
    UUID id = plain.id().value();
    long later = id.getMostSignificantBits() + (Duration.ofHours(2).toMillis() << 16);
    return new Envelope(
        new MessageId(new UUID(later, id.getLeastSignificantBits())),
        plain.topic(),
        plain.key(),
        plain.headers(),
        plain.payload(),
        null);
  }

  @Test
  void a_flight_too_short_for_the_producers_timeouts_is_unavailable_with_the_remedy()
      throws Exception {
    try (KafkaPublisher publisher =
        KafkaPublisher.create(config(broker.server.bootstrapServers()))) {
      ManyFlight flight = new ManyFlight(List.of(message("orders")), Duration.ofSeconds(5));
      publisher.publish(flight);
      assertThat(flight.await().get(0))
          .isInstanceOfSatisfying(
              Ack.Unavailable.class,
              ack ->
                  assertThat(ack.cause().getMessage())
                      .contains("a send may take PT6S", "publishDeadline(..) of the publisher"));
    }
  }

  @Test
  void what_Kafka_refuses_of_a_configuration_it_says_itself() {
    assertThatExceptionOfType(KafkaException.class)
        .isThrownBy(() -> KafkaPublisher.create(Map.of("bootstrap.servers", "nowhere")))
        .havingRootCause()
        .isInstanceOf(ConfigException.class);
  }
}
