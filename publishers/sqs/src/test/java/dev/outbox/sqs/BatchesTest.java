package dev.outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

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
