package dev.outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;

class BatchesTest {
  @Test
  void an_Error_of_the_client_fails_its_messages_and_keeps_no_place() {
    Batches batches = new Batches(new Broken(), "queue", Duration.ofSeconds(1), 1000, 1);
    for (int message = 0; message < 2; message++) {
      assertThat(
              batches.send(
                  TestQueues.message("queue", null, new byte[1]),
                  new SqsMapping.Content("x", Map.of()),
                  () -> false))
          .isCompletedExceptionally();
    }
  }

  @Test
  void the_keys_of_a_flight_share_requests_to_a_queue_whose_URL_is_known() throws Exception {
    List<Envelope> envelopes = new ArrayList<>();
    for (int message = 0; message < 20; message++) {
      envelopes.add(TestQueues.message("orders", "k" + message % 10, new byte[1]));
    }
    Counting client = new Counting();
    KeysFlight flight = new KeysFlight(envelopes, new ArrayList<>());
    SqsPublisher.builder(client).queue("https://sqs/1/orders").build().publish(flight);
    assertThat(flight.acks).isEmpty();
    while (!client.open.isEmpty()) {
      client.open.remove().run();
    }
    assertThat(flight.acks).hasSize(20).containsOnly(Ack.delivered());
    assertThat(client.requests).isEqualTo(2);
  }

  /** Answers when it is told to. */
  private static final class Counting implements SqsAsyncClient {
    private final Deque<Runnable> open = new ArrayDeque<>();
    private int requests;

    @Override
    public CompletableFuture<SendMessageBatchResponse> sendMessageBatch(
        SendMessageBatchRequest request) {
      requests++;
      CompletableFuture<SendMessageBatchResponse> answer = new CompletableFuture<>();
      SendMessageBatchResponse taken =
          SendMessageBatchResponse.builder()
              .successful(
                  request.entries().stream()
                      .map(each -> SendMessageBatchResultEntry.builder().id(each.id()).build())
                      .toList())
              .build();
      open.add(() -> answer.complete(taken));
      return answer;
    }

    @Override
    public String serviceName() {
      return SERVICE_NAME;
    }

    @Override
    public void close() {}
  }

  private record KeysFlight(List<Envelope> envelopes, List<Ack> acks) implements Flight {
    @Override
    public Instant deadline() {
      return Instant.now().plusSeconds(30);
    }

    @Override
    public boolean shouldStop() {
      return false;
    }

    @Override
    public void ack(Envelope envelope, Ack ack) {
      acks.add(ack);
    }

    @Override
    public Connection transaction() {
      throw new UnsupportedOperationException("no transaction");
    }
  }

  private static final class Broken implements SqsAsyncClient {
    @Override
    public CompletableFuture<SendMessageBatchResponse> sendMessageBatch(
        SendMessageBatchRequest request) {
      throw new NoClassDefFoundError("a class of the SDK");
    }

    @Override
    public String serviceName() {
      return SERVICE_NAME;
    }

    @Override
    public void close() {}
  }
}
