package dev.outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.CloudEvents;
import dev.outbox.publish.Publisher;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** The rows of the page's table, provoked on ElasticMQ. */
@Tag("proof")
class SqsErrorsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(6);
  private static final Duration LONG = Duration.ofSeconds(12);

  private final TestQueues queues = TestQueues.get();
  private final SqsAsyncClient client = queues.behindTheNetwork();

  @AfterEach
  void bringUp() {
    client.close();
    queues.network.restore();
    queues.server.restart();
  }

  private SqsPublisher publisher() {
    return SqsPublisher.builder(client).publishDeadline(DEADLINE).build();
  }

  private static Ack answer(Publisher publisher, Envelope envelope) throws Exception {
    OneFlight flight = new OneFlight(envelope, DEADLINE);
    publisher.publish(flight);
    return flight.await();
  }

  private static Envelope message(String queue) {
    return TestQueues.message(queue, "42", "x".getBytes(StandardCharsets.UTF_8));
  }

  private static void requireUnavailable(Ack ack, Class<?> type, String text) {
    assertThat(ack)
        .isInstanceOfSatisfying(
            Ack.Unavailable.class,
            unavailable ->
                assertThat(unavailable.cause()).isInstanceOf(type).hasMessageContaining(text));
  }

  @Test
  void a_server_that_is_cut_off_or_silent_is_unavailable_and_found_again() throws Exception {
    String queue = queues.newQueue(true);
    SqsPublisher publisher = publisher();
    assertThat(answer(publisher, message(queue))).isInstanceOf(Ack.Delivered.class);
    queues.network.cut();
    requireUnavailable(answer(publisher, message(queue)), SdkClientException.class, "");
    queues.network.silence();
    requireUnavailable(answer(publisher, message(queue)), SdkClientException.class, "");
    queues.network.reset();
    queues.network.restore();
    assertThat(answer(publisher, message(queue))).isInstanceOf(Ack.Delivered.class);
  }

  @Test
  void a_queue_that_is_not_there_is_unavailable_until_it_is() throws Exception {
    String queue = "later-" + System.nanoTime();
    SqsPublisher publisher = publisher();
    requireUnavailable(
        answer(publisher, message(queue)), SqsErrors.NotNow.class, "queue '" + queue + "' cannot");
    queues.client.createQueue(request -> request.queueName(queue)).join();
    assertThat(answer(publisher, message(queue))).isInstanceOf(Ack.Delivered.class);
  }

  @Test
  void a_repeat_is_dropped_by_a_FIFO_queue() throws Exception {
    String queue = queues.newQueue(true);
    Envelope twice = message(queue);
    assertThat(answer(publisher(), twice)).isInstanceOf(Ack.Delivered.class);
    assertThat(answer(publisher(), twice)).isInstanceOf(Ack.Delivered.class);
    assertThat(new Inbox(queues.client, queue).received()).hasSize(1);
  }

  @Test
  void codes_that_speak_of_a_message_reject_it_and_others_do_not() {
    BatchResultErrorEntry.Builder entry =
        BatchResultErrorEntry.builder().code("InvalidMessageContents").message("odd");
    assertThat(SqsErrors.read(SqsErrors.of(entry.senderFault(true).build())))
        .isEqualTo(Ack.rejected("InvalidMessageContents: odd"));
    assertThat(SqsErrors.read(SqsErrors.of(entry.code("RequestThrottled").build())))
        .isInstanceOf(Ack.Unavailable.class);
    assertThat(SqsErrors.read(SqsException.builder().statusCode(403).build()))
        .isInstanceOf(Ack.Unavailable.class);
    assertThat(SqsErrors.read(new IllegalStateException("odd"))).isInstanceOf(Ack.Failed.class);
  }

  @Test
  void what_SQS_does_not_hold_is_rejected() throws Exception {
    assertThat(answer(publisher(), message("orders/placed")))
        .isInstanceOfSatisfying(
            Ack.Rejected.class, ack -> assertThat(ack.reason()).startsWith("queue is 'orders/"));
    Envelope odd =
        TestQueues.message("orders", null, Map.of(), "application/json", new byte[] {'{'});
    SqsPublisher events =
        SqsPublisher.builder(client).cloudEvents(CloudEvents.structured(URI.create("/s"))).build();
    OneFlight flight = new OneFlight(odd, Duration.ofSeconds(30));
    events.publish(flight);
    assertThat(flight.await()).isInstanceOf(Ack.Rejected.class);
  }

  /** As where the application looks may be down. */
  @Test
  void a_queue_that_cannot_be_had_now_is_unavailable_and_none_is_rejected() throws Exception {
    IllegalStateException down = new IllegalStateException("no customers now");
    SqsPublisher.Builder throwing =
        SqsPublisher.builder(client)
            .publishDeadline(DEADLINE)
            .queue(
                (Envelope each) -> {
                  throw down;
                });
    requireUnavailable(
        answer(throwing.build(), message("orders")),
        SqsErrors.NotNow.class,
        "no queue for a message of topic orders can be had now: " + down);
    SqsPublisher.Builder none =
        SqsPublisher.builder(client).publishDeadline(DEADLINE).queue((Envelope each) -> null);
    String refusal =
        "there is no queue for a message of topic orders; correct the function that queue(..) was given";
    assertThat(answer(none.build(), message("orders"))).isEqualTo(Ack.rejected(refusal));
    assertThat(none.limits().refusal(message("orders"))).isEqualTo(refusal);
  }

  @Test
  void headers_are_packed_when_they_are_too_many() throws Exception {
    String queue = queues.newQueue(false);
    Map<String, String> headers = new HashMap<>();
    for (int number = 0; number < 20; number++) {
      headers.put("header " + number, "Ä\"\\\n" + number);
    }
    Envelope many = TestQueues.message(queue, null, headers, "text/plain", new byte[] {'x'});
    assertThat(answer(publisher(), many)).isInstanceOf(Ack.Delivered.class);
    assertThat(new Inbox(queues.client, queue).received())
        .singleElement()
        .satisfies(each -> assertThat(each.headers()).containsAllEntriesOf(headers));
  }

  @Test
  void what_is_signed_is_delivered_and_another_key_or_none_is_unavailable() throws Exception {
    String queue = queues.newQueue(true);
    try (SignatureGate gate = new SignatureGate(queues.server.port())) {
      assertThat(answer(gate, TestQueues.login("secret"), queue)).isInstanceOf(Ack.Delivered.class);
      requireUnavailable(
          answer(gate, TestQueues.login("wrong"), queue), SqsErrors.NotNow.class, "not signed");
      requireUnavailable(
          answer(gate, AnonymousCredentialsProvider.create(), queue),
          SqsErrors.NotNow.class,
          "not signed");
      requireUnavailable(
          answer(gate, ProfileCredentialsProvider.create("nobody"), queue),
          SqsErrors.NotNow.class,
          "nobody");
    }
    assertThat(new Inbox(queues.client, queue).received()).hasSize(1);
  }

  /** The client tries again for as long as a call may take. */
  @ParameterizedTest
  @CsvSource({"400, RequestThrottled", "400, KmsThrottled", "503, ServiceUnavailable"})
  void throttled_or_out_of_service_is_unavailable_until_it_is_over(int status, String code)
      throws Exception {
    String queue = queues.newQueue(true);
    try (SignatureGate gate = new SignatureGate(queues.server.port());
        SqsAsyncClient signing = TestQueues.at(gate.port(), TestQueues.login("secret"))) {
      SqsPublisher publisher = SqsPublisher.builder(signing).publishDeadline(DEADLINE).build();
      assertThat(answer(publisher, message(queue))).isInstanceOf(Ack.Delivered.class);
      gate.answer(SignatureGate.Answer.error(status, code, "slow down"));
      requireUnavailable(answer(publisher, message(queue)), SdkException.class, "");
      gate.answer(null);
      assertThat(answer(publisher, message(queue))).isInstanceOf(Ack.Delivered.class);
    }
    assertThat(new Inbox(queues.client, queue).received()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "true, InvalidMessageContents, true",
    "true, KmsAccessDenied, false",
    "false, InternalError, false"
  })
  void an_entry_that_is_refused_is_rejected_when_its_code_speaks_of_the_message(
      boolean ofTheSender, String code, boolean rejected) throws Exception {
    String queue = queues.newQueue(false);
    try (SignatureGate gate = new SignatureGate(queues.server.port());
        SqsAsyncClient signing = TestQueues.at(gate.port(), TestQueues.login("secret"))) {
      SqsPublisher publisher = SqsPublisher.builder(signing).publishDeadline(DEADLINE).build();
      assertThat(answer(publisher, message(queue))).isInstanceOf(Ack.Delivered.class);
      gate.answer(
          new SignatureGate.Answer(
              200,
              "{\"Successful\":[],\"Failed\":[{\"Id\":\"0\",\"SenderFault\":%s,\"Code\":\"%s\",\"Message\":\"odd\"}]}"
                  .formatted(ofTheSender, code)));
      Ack ack = answer(publisher, message(queue));
      if (rejected) {
        assertThat(ack).isEqualTo(Ack.rejected(code + ": odd"));
      } else {
        requireUnavailable(ack, SqsErrors.NotNow.class, code + ": odd");
      }
    }
  }

  private static Ack answer(SignatureGate gate, AwsCredentialsProvider credentials, String queue)
      throws Exception {
    try (SqsAsyncClient signing = TestQueues.at(gate.port(), credentials)) {
      return answer(
          SqsPublisher.builder(signing).publishDeadline(DEADLINE).build(), message(queue));
    }
  }

  private static List<OneFlight> begin(Publisher publisher, String queue, int messages)
      throws Exception {
    List<OneFlight> flights = new ArrayList<>();
    for (int number = 0; number < messages; number++) {
      Envelope envelope = TestQueues.message(queue, null, new byte[900]); // 1,200 as Base64
      flights.add(new OneFlight(envelope, LONG));
      publisher.publish(flights.get(number));
    }
    return flights;
  }

  /** Of one request at a time, which a message fills alone. */
  private SqsPublisher narrow() {
    return SqsPublisher.builder(client)
        .publishDeadline(LONG)
        .requestsAtOnce(1)
        .maxMessageSize(2000)
        .build();
  }

  private static long delivered(List<OneFlight> flights) throws Exception {
    long delivered = 0;
    for (OneFlight each : flights) {
      Ack ack = each.await();
      assertThat(ack).isInstanceOfAny(Ack.Delivered.class, Ack.NotSent.class);
      delivered += ack instanceof Ack.Delivered ? 1 : 0;
    }
    return delivered;
  }

  @Test
  void what_waits_too_long_for_a_request_is_not_sent_and_does_not_arrive_later() throws Exception {
    String queue = queues.newQueue(false);
    SqsPublisher publisher = narrow();
    assertThat(delivered(begin(publisher, queue, 1))).isOne();
    queues.network.delay(Duration.ofMillis(1200)); // of the 2 s that a request may take
    long delivered = delivered(begin(publisher, queue, 10));
    assertThat(delivered).isBetween(1L, 4L);
    assertThat(new Inbox(queues.client, queue).received()).hasSize(1 + (int) delivered);
  }

  @Test
  void a_publisher_that_is_closed_begins_no_other_request() throws Exception {
    String queue = queues.newQueue(false);
    SqsPublisher publisher = narrow();
    assertThat(delivered(begin(publisher, queue, 1))).isOne();
    queues.network.delay(Duration.ofMillis(500));
    List<OneFlight> flights = begin(publisher, queue, 3);
    publisher.close();
    assertThat(delivered(flights)).isOne();
    assertThat(new Inbox(queues.client, queue).received()).hasSize(2);
  }

  @Test
  void a_publisher_that_is_closed_is_unavailable() throws Exception {
    SqsPublisher publisher = publisher();
    publisher.close();
    requireUnavailable(answer(publisher, message("orders")), SqsErrors.NotNow.class, "is closed");
  }
}
